// Listens to the labs of the page, asks the one worker of the window, swaps what comes back. It knows no model and holds no
// sentence: labs/lab.py writes the finished section, with its sentences and its values in data-* attributes.
const here = import.meta.url;
const GUARD = "nine-ledgers-starting";
const PATIENCE = 150;  // ms in which most answers come: a reader is told of waiting only after it
const waiting = new Map();  // root → form that has not been sent: the newest wins
let worker, flying, state = "idle", reason = "", fingerprint = "", sent = 0, typing = 0, noting = 0;
const labs = () => document.querySelectorAll("[data-lab]");
const fields = root => root.querySelectorAll("form [name]");
const presets = root => [...root.querySelectorAll("[data-lab] [data-preset]")];
const json = (element, name) => JSON.parse(element.dataset[name]);

// ---- the form
function read(root) {
  const form = {};
  for (const field of fields(root)) {
    if (field.type === "checkbox") form[field.name] = field.checked ? "on" : "off";
    else if (field.type !== "radio" || field.checked) form[field.name] = field.value;
  }
  return form;
}

function write(root, form) {
  for (const field of fields(root)) if (field.name in form) {
    const text = form[field.name];
    if (field.type === "checkbox") field.checked = text === "on";
    else if (field.type === "radio") field.checked = field.value === text;
    else field.value = text;
    follow(field);
  }
}

// A slider has no name: it and its two buttons move the box from stop to stop, and rest where the box is. What is
// written may be a number only to Python, as 7B is: it comes back with the answer.
const sliderOf = element => element.parentElement.querySelector("[data-stops]");
const boxOf = element => element.parentElement.querySelector("[name]");

function follow(box, number = Number(box.value)) {
  const slider = sliderOf(box);
  if (!slider) return;
  slider.setAttribute("aria-valuetext", box.value);
  box.dataset.number = number;
  const away = json(slider, "stops").map(stop => Math.abs(stop - number));
  if (!Number.isNaN(number)) slider.value = away.indexOf(Math.min(...away));
}

function step(button) {
  const stops = json(sliderOf(button), "stops"), box = boxOf(button), now = Number(box.dataset.number);
  const to = button.dataset.step < 0 ? stops.filter(stop => stop < now).at(-1) : stops.find(stop => stop > now);
  box.value = to ?? box.value;
  follow(box);
}

// ---- the address: ?lab=INSTANCE&name=value holds what differs from the page's own values
function address(root) {
  const begun = json(root, "start"), query = new URLSearchParams({ lab: root.dataset.instance });
  for (const [name, text] of Object.entries(read(root))) if (text !== begun[name]) query.set(name, text);
  const search = [...query].length > 1 ? `?${query}` : "";
  history.replaceState(history.state, "", location.pathname + search + location.hash);
}

async function share(root) {
  address(root);
  const link = Object.assign(new URL(location.href), { hash: root.id }).href;
  const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
  tell(root, copied ? "shared" : link);
}

// ---- what the reader is told
function tell(root, key, facts = {}, before = "") {
  const say = json(root, "say"), fill = (_, name) => say[facts[name]] ?? facts[name], status = root.querySelector("[data-status]");
  const text = (say[before] ?? "") + (say[key] ?? key).replace(/\{(\w+)\}/g, fill);
  if (status.textContent !== text) status.textContent = text;  // else the same would be laid out again
  root.dataset.state = before || (key in say ? key : state);
}

function report(root) {
  if (state === "failed") tell(root, "failed", { why: reason });
  else if (!fits(root)) tell(root, "mismatch");
  else if (state === "crashed") tell(root, "crashed");
  else tell(root, busy(root) ? "pending" : state === "ready" ? "ready" : "built");
}

const busy = root => waiting.has(root) || flying?.root === root;
const fits = root => !fingerprint || !root.dataset.hash || root.dataset.hash === fingerprint;

// A refusal stands at its control, the last good figure stays; without one, what was refused before is cleared.
function refuse(root, { field, message } = {}) {
  for (const place of root.querySelectorAll("[data-error]")) {
    const wrong = place.dataset.error === field;
    place.textContent = wrong ? message : "";
    place.hidden = !wrong;
    if (wrong) place.closest("details")?.setAttribute("open", "");
  }
  for (const control of fields(root)) {
    if (control.name === field) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
  }
  if (field && !root.querySelector("[aria-invalid]")) tell(root, message);
}

// ---- the figure
const LEAVES = "td, dd, .nl-formulas li, .nl-notes li, svg text:not(.nl-inside, .nl-tick), .nl-verdict";
const shown = new WeakMap();  // region → its HTML as it came
const scrolled = new WeakMap();  // what scrolls sideways → how far; to ask it instead would have the page laid out

// What reads differently is marked; what was scrolled or had the focus keeps its place.
function swap(region, html) {
  const same = html === undefined || html === shown.get(region), next = document.createElement("template");
  if (same) return region.querySelectorAll(".nl-changed").forEach(old => old.classList.remove("nl-changed"));
  shown.set(region, html);
  next.innerHTML = html;
  const before = new Set(Array.from(region.querySelectorAll(LEAVES), leaf => leaf.textContent));
  for (const leaf of next.content.querySelectorAll(LEAVES)) if (!before.has(leaf.textContent)) leaf.classList.add("nl-changed");
  const places = Array.from(region.querySelectorAll(".nl-scroll"), place => [scrolled.get(place), place === document.activeElement]);
  region.replaceChildren(next.content);
  region.querySelectorAll(".nl-scroll").forEach((place, i) => {
    if (places[i]?.[0]) place.scrollLeft = places[i][0];
    if (places[i]?.[1]) place.focus({ preventScroll: true });
  });
}

// ---- asking: one request on its way, and the newest form of each lab waiting for its turn
function ask(root, form = read(root), meant = true) {
  if (state !== "failed") {
    waiting.set(root, form);
    root.setAttribute("aria-busy", "true");
    start(meant);
    send();
    if (state === "ready") setTimeout(() => busy(root) && report(root), PATIENCE);
    else report(root);
  }
  const chosen = button => Object.entries(json(button, "preset")).every(([name, text]) => form[name] === text);
  for (const button of presets(root)) button.setAttribute("aria-pressed", chosen(button));
}

function send() {
  if (flying || state !== "ready") return;
  for (const [root, form] of waiting) {
    waiting.delete(root);
    if (!fits(root)) root.removeAttribute("aria-busy");
    if (!root.isConnected || !fits(root)) continue;
    flying = { id: ++sent, root };
    return worker.postMessage({ id: sent, request: request(root, form) });
  }
}

const request = ({ dataset: { lab, language } }, form) => JSON.stringify({ lab, form, language });

// An answer that is not to the request on its way, or whose lab is no longer on the page, is stale and dropped.
function answered({ id, answer, failed }) {
  if (flying?.id !== id) return;
  const { root } = flying;
  flying = undefined;
  send();
  if (!root.isConnected) return;
  if (!busy(root)) root.removeAttribute("aria-busy");
  report(root);
  if (failed) return tell(root, "error", { why: failed.trim().split("\n").at(-1) });
  const { regions, numbers, error } = JSON.parse(answer);
  refuse(root, error);
  if (numbers && !busy(root)) for (const field of fields(root)) follow(field, numbers[field.name]);
  if (regions) for (const region of root.querySelectorAll("[data-region]")) swap(region, regions[region.dataset.region]);
}

// ---- the worker: one a window, started when a reader comes near a lab
function start(meant) {
  if (worker || state === "failed" || state === "loading") return;
  if (!meant && (state === "crashed" || navigator.connection?.saveData)) return;
  state = "loading";
  if (!globalThis.WebAssembly) return fail("no_wasm");
  guard("1");
  const offline = globalThis.nineLedgersOffline;
  if (offline) offline().then(({ made, parts }) => engage(made, parts), error => fail("no_local", error));
  else try {
    engage(new Worker(new URL("worker.js", here), { type: "module" }));
  } catch (error) {
    fail("no_worker", error);
  }
}

function engage(made, parts) {
  worker = made;
  worker.onerror = event => { event.preventDefault(); fail(parts ? "no_local" : "no_worker", event.message); };
  worker.onmessage = ({ data }) => {
    if (data.loading) progress(data);
    else if (data.ready) ready(data.ready);
    else if (data.id) answered(data);
    else fail(parts ? "no_local" : data.failed, data.detail);
  };
  worker.postMessage({ start: { base: new URL(".", here).href, parts } });
}

function progress({ loading, size }) {
  const facts = { size: (size / 1e6).toFixed(1), percent: Math.floor(100 * loading / size) };
  for (const root of labs()) tell(root, "loading", facts, busy(root) ? "pending" : "");
}

function ready(made) {
  [state, fingerprint] = ["ready", made];
  guard("");
  labs().forEach(report);
  send();
  // A browser compiles well only what has run for a while: let it be before a reader waits for it.
  worker.postMessage({ practice: presets(document).map(one => request(one.closest("[data-lab]"), json(one, "preset"))) });
}

function fail(why, detail) {
  console.warn("The labs stay still:", why, detail);
  stop();
  [state, reason] = ["failed", why];
  labs().forEach(report);
}

function stop() {
  worker?.terminate();
  worker = flying = undefined;
  state = state === "failed" ? state : "idle";
  waiting.clear();
  for (const root of labs()) root.removeAttribute("aria-busy");
  guard("");
}

// A page that went down while it started does not start again by itself. Storage may be refused; then nothing is kept.
function guard(value) {
  try { return value === undefined ? sessionStorage.getItem(GUARD) : sessionStorage.setItem(GUARD, value); } catch {}
}

// ---- events: listened to once, on the document, whatever page comes into it
const rootOf = event => event.target.closest?.("[data-lab]");
for (const kind of ["pointerover", "focusin", "touchstart"]) document.addEventListener(kind, ({ target }) => {
  if (target.closest?.("[data-lab], a[href*='?lab=']")) start(false);
}, { passive: true });

function changed(root, given = {}) {
  typing = void clearTimeout(typing);
  ask(root, { ...read(root), ...given });  // first: Python computes while the form and the address are written
  write(root, given);
  clearTimeout(noting);
  noting = setTimeout(() => root.isConnected && address(root), PATIENCE);  // Safari refuses more than 100 in 30 s
}

const clicks = {
  preset: (root, button) => changed(root, json(button, "preset")),
  step: (root, button) => { step(button); changed(root); },
  share, reset: root => changed(root, json(root, "start")),
};

document.addEventListener("click", event => {
  const root = rootOf(event), button = event.target.closest?.("button");
  if (!root) return;
  start(true);
  if (button) clicks[button.dataset.action ?? ["preset", "step"].find(kind => kind in button.dataset)]?.(root, button);
});

document.addEventListener("input", event => {
  const root = rootOf(event), field = event.target;
  if (!root) return;
  if (field.dataset.stops) boxOf(field).value = json(field, "stops")[field.value];
  follow(boxOf(field) ?? field);
  if (field.type !== "text") return changed(root);
  clearTimeout(typing);
  typing = setTimeout(changed, 300, root);
});

document.addEventListener("change", event => { if (typing && rootOf(event)) changed(rootOf(event)); });
document.addEventListener("scroll", ({ target }) => scrolled.set(target, target.scrollLeft), { capture: true, passive: true });
document.addEventListener("submit", event => { if (rootOf(event)) event.preventDefault(); });
addEventListener("pagehide", stop);
addEventListener("pageshow", event => { if (event.persisted) labs().forEach(report); });

function mount() {
  const { lab, ...form } = Object.fromEntries(new URLSearchParams(location.search));
  for (const root of labs()) {
    if (root.dataset.state) continue;
    report(root);
    if (lab !== root.dataset.instance) continue;
    write(root, form);
    ask(root, { ...read(root), ...form }, false);
  }
}

// A script of the head: Python is on its way before the page has been read, and the page comes to it.
if (guard() === "1") state = "crashed";
if (/[?&]lab=/.test(location.search)) start(false);
const begin = () => { mount(); globalThis.document$?.subscribe(mount); };
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
else begin();
