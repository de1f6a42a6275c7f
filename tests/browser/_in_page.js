// What tests run inside of a browser; it is type-checked as the page is.

/**
 * Tries what a script of another origin can try.
 *
 * @param {string} url The console's address.
 * @returns {Promise<string[]>} What it could do.
 */
export async function tryAll(url) {
  /** @type {string[]} */
  const done = [];
  const steps = JSON.stringify({ steps: [{ fault: "500" }] });
  const key = `${url}api/forced/ride_book`;
  const json = { "content-type": "application/json" };
  const guess = { ...json, "x-console-token": "guess" };
  /** @type {[string, string, RequestInit][]} */
  const tries = [
    ["read about", `${url}api/about`, {}],
    ["read the page", url, {}],
    ["read calls", `${url}api/calls`, { credentials: "include" }],
    ["read events", `${url}api/events`, {}],
    ["force", key, { method: "PUT", body: steps, headers: json }],
    ["force with a token", key, { method: "PUT", body: steps, headers: guess }],
    ["let go", `${url}api/forced`, { method: "DELETE" }],
  ];
  for (const [name, target, init] of tries) {
    const response = await fetch(target, init).catch(() => undefined);
    if (response?.ok) done.push(name);
    // One of them has no end.
    await response?.body?.cancel();
  }
  for (const path of ["api/about", "api/scenarios"]) {
    const init = path === "api/about" ? {} : { method: "POST", body: steps };
    const response = await fetch(url + path, { ...init, mode: "no-cors" }).catch(() => null);
    if (response !== null && response.type !== "opaque") done.push(`${path} is ${response.type}`);
  }
  // Its files must not even be a script or an image of another page.
  for (const tag of /** @type {const} */ (["script", "img"])) {
    const element = document.createElement(tag);
    element.src = `${url}page/main.js`;
    const loads = await new Promise((resolve) => {
      element.onload = () => resolve(true);
      element.onerror = () => resolve(false);
      document.body.append(element);
    });
    if (loads) done.push(`it is a ${tag}`);
  }
  const events = new EventSource(`${url}api/events`);
  const opens = await new Promise((resolve) => {
    events.onopen = () => resolve(true);
    events.onerror = () => resolve(false);
  });
  events.close();
  if (opens) done.push("listen to events");
  const frame = document.createElement("iframe");
  frame.src = url;
  await new Promise((resolve) => {
    frame.onload = resolve;
    document.body.append(frame);
  });
  return done;
}

/**
 * Sends a form, for which a page needs no permission.
 *
 * @param {string} url The console's address.
 */
export function sendForm(url) {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", enctype: "text/plain", action: `${url}api/scenarios` });
  const field = document.createElement("input");
  Object.assign(field, { name: '{"tool":"ride_book","x":"', value: '"}' });
  form.append(field);
  document.body.append(form);
  form.submit();
}

/**
 * Clicks on Pause.
 *
 * @returns {Promise<number>} After how many milliseconds the page has drawn its answer.
 */
export function clickPause() {
  const button = [...document.querySelectorAll("button")]
    .find((one) => /^\s*(Pause|Resume)/.test(one.textContent ?? ""));
  const before = button?.getAttribute("aria-pressed");
  const started = performance.now();
  button?.click();
  return new Promise((resolve) => {
    const look = () => {
      if (button?.getAttribute("aria-pressed") !== before) resolve(performance.now() - started);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** Begins to note when the page does nothing else for long. */
export function watchLongTasks() {
  /** @type {number[]} */
  const durations = [];
  const note = (/** @type {PerformanceObserverEntryList} */ list) => {
    durations.push(...list.getEntries().map(({ duration }) => duration));
  };
  new PerformanceObserver(note).observe({ type: "longtask" });
  Object.assign(globalThis, { longTasks: durations });
}

/** @returns {number[]} The milliseconds of each since {@linkcode watchLongTasks}. */
export function longTasks() {
  return Reflect.get(globalThis, "longTasks");
}

/** @returns {string} What the focus is on, in words. */
export function focusedText() {
  return document.activeElement?.textContent ?? "";
}

/** @returns {Promise<string>} */
export function copiedText() {
  return navigator.clipboard.readText();
}

/** @returns {string} What of the page does not fit in the window. */
export function overflow() {
  const { scrollWidth, scrollHeight } = document.documentElement;
  const [width, height] = [scrollWidth - innerWidth, scrollHeight - innerHeight];
  return width > 0 || height > 0 ? `${width} by ${height} pixels` : "";
}

/** @param {string} hash */
export function goTo(hash) {
  location.hash = hash;
}

/** @param {Element} element */
export function scrollToEnd(element) {
  element.scrollTop = element.scrollHeight;
}

/** @param {Element} element */
export function heightOf(element) {
  return element.clientHeight;
}

/**
 * What axe, which is in the page already, finds that keeps someone out.
 *
 * @returns {Promise<string[]>}
 */
export async function seriousFindings() {
  const options = { resultTypes: ["violations"], iframes: false };
  const { violations } = await Reflect.get(globalThis, "axe").run(document, options);
  /** @type {{ id: string, impact: string, nodes: { html: string }[] }[]} */
  const all = violations;
  return all.filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
