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
  /** @type {[string, string, RequestInit][]} */
  const tries = [
    ["read about", `${url}api/about`, {}],
    ["read the page", url, {}],
    ["read calls", `${url}api/calls`, { credentials: "include" }],
    ["read events", `${url}api/events`, {}],
    ["force", key, {
      method: "PUT",
      body: steps,
      headers: { "content-type": "application/json" },
    }],
    ["force with a token", key, {
      ...{ method: "PUT", body: steps },
      headers: {
        "content-type": "application/json",
        "x-console-token": "guess",
      },
    }],
    ["let go", `${url}api/forced`, { method: "DELETE" }],
  ];
  for (const [name, target, init] of tries) {
    const text = await fetch(target, init).then(
      (response) => response.text(),
      () => undefined,
    );
    if (text !== undefined) done.push(`${name}: ${text.slice(0, 80)}`);
  }
  for (
    const [path, method] of [["api/about", "GET"], [
      "api/scenarios",
      "POST",
    ]] as const
  ) {
    const body = method === "POST" ? steps : null;
    const response = await fetch(url + path, { method, body, mode: "no-cors" })
      .catch(() => null);
    if (response !== null && response.type !== "opaque") {
      done.push(`${path} is ${response.type}`);
    }
  }
  // Its bytes must not even be a script or an image of another page.
  for (const tag of /** @type {const} */ (["script", "img"])) {
    const element = document.createElement(tag);
    element.src = tag === "script" ? `${url}page/main.js` : `${url}page/style.css`;
    /** @type {Promise<boolean>} */
    const loads = new Promise((resolve) => {
      element.onload = () => resolve(true);
      element.onerror = () => resolve(false);
    });
    document.body.append(element);
    if (await loads) done.push(`a ${tag} was loaded`);
  }
  const frame = document.createElement("iframe");
  frame.src = url;
  const loaded = new Promise((resolve) => frame.onload = resolve);
  document.body.append(frame);
  await loaded;
  // A frame that was refused has an opaque error page in place of what was asked for.
  try {
    if (frame.contentDocument !== null) done.push("the frame can be read");
  } catch {
    // It cannot.
  }
  const socket = new EventSource(`${url}api/events`);
  const opens = await new Promise((resolve) => {
    socket.onopen = () => resolve(true);
    socket.onerror = () => resolve(false);
  });
  socket.close();
  if (opens) done.push("the events can be listened to");
  return done;
}

/**
 * Sends a form, for which a page needs no permission.
 *
 * @param {string} url The console's address.
 */
export function sendForm(url) {
  const form = document.createElement("form");
  form.method = "post";
  form.enctype = "text/plain";
  form.action = `${url}api/scenarios`;
  form.innerHTML = `<input name='{"steps":[{"fault":"500"}],"x":"' value='"}'>`;
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

/** Begins to note how long the page does nothing else. */
export function watchLongTasks() {
  /** @type {number[]} */
  const durations = [];
  new PerformanceObserver((list) =>
    durations.push(...list.getEntries().map(({ duration }) => duration))
  ).observe({ type: "longtask" });
  Object.assign(globalThis, { longTasks: durations });
}

/** @returns {number[]} How long, in milliseconds, each time since {@linkcode watchLongTasks}. */
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

/** @returns {number} By how many pixels the page is wider than the window. */
export function tooWide() {
  return document.documentElement.scrollWidth - innerWidth;
}

/** @param {string} hash */
export function goTo(hash) {
  location.hash = hash;
}

/** @param {Element} element */
export function scrollToEnd(element) {
  element.scrollTop = element.scrollHeight;
}

/**
 * What axe, which is in the page already, finds that keeps someone out.
 *
 * @returns {Promise<string[]>}
 */
export async function seriousFindings() {
  const { violations } = await Reflect.get(globalThis, "axe").run(document, {
    resultTypes: ["violations"],
    iframes: false,
  });
  /** @type {{ id: string, impact: string, nodes: { html: string }[] }[]} */
  const all = violations;
  return all.filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
