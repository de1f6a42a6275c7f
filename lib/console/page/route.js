// The view that is open is in the address behind "#", so that reload, back and a bookmark work.

/**
 * @typedef {object} Route
 * @property {string} view `calls`, `tools`, `widget` or `problems`.
 * @property {string} name What of the view is open: a call's id, a tool's name; "" for nothing.
 * @property {URLSearchParams} params
 */

export const VIEWS = ["calls", "tools", "widget", "problems"];

/**
 * Reads the address.
 *
 * @param {string} hash
 * @returns {Route}
 */
export function readRoute(hash) {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const slash = path.indexOf("/");
  const view = slash < 0 ? path : path.slice(0, slash);
  return {
    view: VIEWS.includes(view) ? view : "calls",
    name: slash < 0 ? "" : decoded(path.slice(slash + 1)),
    params: new URLSearchParams(query),
  };
}

/**
 * Words an address.
 *
 * @param {string} view
 * @param {string} [name]
 * @param {URLSearchParams | Record<string, string>} [params] Empty ones are left out.
 * @returns {string}
 */
export function address(view, name = "", params = {}) {
  const kept = [...new URLSearchParams(params)].filter(([, value]) => value !== "");
  const query = kept.length === 0 ? "" : `?${new URLSearchParams(kept)}`;
  return `#/${view}${name === "" ? "" : `/${encodeURIComponent(name)}`}${query}`;
}

/**
 * The address of the same view with something changed.
 *
 * @param {Route} route
 * @param {Record<string, string>} changes
 * @param {string} [name] What of the view is open then.
 * @returns {string}
 */
export function changed(route, changes, name = route.name) {
  return address(route.view, name, {
    ...Object.fromEntries(route.params),
    ...changes,
  });
}

/**
 * Goes to an address.
 *
 * @param {string} hash
 * @param {boolean} [inPlace] Whether "back" is to pass over where we were.
 */
export function go(hash, inPlace = false) {
  if (hash === location.hash) return;
  if (inPlace) {
    history.replaceState(null, "", hash);
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else location.hash = hash;
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
