// The search worker of one language: search.js?LANGUAGE/THEMES_WORKER. It is ready at once and fetches nothing; at the
// first query it loads that language's index and the theme's own worker, and from then on only passes messages on.
// Under file:// it runs in a frame that stands for a worker: no fetch there, but scripts may be loaded.

const SETUP = 0, READY = 1, QUERY = 2, RESULT = 3;
const here = new URL(self.document?.currentScript?.src ?? self.location.href);
const [language, engine] = here.search.slice(1).split(/[/?]/);
const root = new URL("../../", here);
const place = new URL(`${{ zh: "", en: "en/" }[language]}search/search_index`, root);
const answer = self.postMessage.bind(self);
let loading;

self.addEventListener("message", async (event) => {
  const { type, data } = event.data;
  if (type !== QUERY || event.passed) return;
  event.stopImmediatePropagation();
  if (!data.trim()) return answer({ type: RESULT, data: { items: [] } });
  await (loading ??= load());
  pass({ type, data });
});

async function load() {
  const index = await (here.protocol === "file:" ? script(`${place}.js`).then(() => self.__index) : json(`${place}.json`));
  const ready = new Promise((resolve) => {
    // The theme's worker says READY once the index is built; the page has been told so before.
    self.postMessage = (message) => (message.type === READY ? resolve() : answer(message));
  });
  await script(new URL(`assets/javascripts/workers/${engine}`, root));
  pass({ type: SETUP, data: { ...index, options: { suggest: false } } });
  return ready;
}

const json = async (url) => (await fetch(url)).json();
const script = async (url) => self.importScripts(`${url}`);

function pass(data) {
  self.dispatchEvent(Object.assign(new MessageEvent("message", { data }), { passed: true }));
}

answer({ type: READY });
