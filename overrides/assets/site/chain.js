// The reading chain and its cards: what a bottleneck shows, whose debts a work joins, what has been read.
// Without this script every work, line and sentence is there; only what a reader chooses and remembers is not.
(() => {
  const KEY = "nine-ledgers.read";
  const page = document.querySelector("[data-chain], .nl-card");
  if (!page) return;
  const all = (selector, root = page) => [...root.querySelectorAll(selector)];

  // ---- what has been read: kept in this browser, for as long as it keeps things

  let kept = [];
  try {
    kept = JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    // Private windows and folders may refuse: then a mark lasts as long as the page.
  }
  const read = new Set(Array.isArray(kept) ? kept : []);

  const mark = (work, done) => {
    done ? read.add(work) : read.delete(work);
    try {
      localStorage.setItem(KEY, JSON.stringify([...read]));
    } catch {}
    showRead();
  };

  const showRead = () => {
    for (const box of all("input[data-read]")) {
      box.checked = read.has(box.dataset.read);
      box.closest("li").toggleAttribute("data-done", box.checked);
    }
    for (const button of all("button[data-read]")) {
      const done = read.has(button.dataset.read);
      button.setAttribute("aria-pressed", done);
      button.textContent = done ? button.dataset.marked : button.dataset.mark;
    }
    const count = page.querySelector(".nl-progress");
    if (!count) return;
    const shown = all(".nl-nodes > li:not([data-away])").map((row) => row.dataset.work);
    const says = count.dataset.says.replace("{read}", shown.filter((work) => read.has(work)).length);
    count.textContent = says.replace("{all}", shown.length);
  };

  // ---- a bottleneck: its works stay, the others fade; the address keeps the choice

  const choose = (radio) => {
    const shown = new Set(radio.dataset.shows.split(" "));
    for (const row of all(".nl-nodes > li")) row.toggleAttribute("data-away", !shown.has(row.dataset.work));
    for (const line of all(".nl-edges path")) {
      line.toggleAttribute("data-away", !(shown.has(line.dataset.from) && shown.has(line.dataset.to)));
    }
    showRead();
  };

  const remember = (key) => {
    const url = new URL(location.href);
    key ? url.searchParams.set("bottleneck", key) : url.searchParams.delete("bottleneck");
    history.replaceState(history.state, "", url);
  };

  // ---- a work under the pointer or the focus: its lines come forward

  const light = (work) => {
    for (const line of all(".nl-edges path")) {
      line.toggleAttribute("data-lit", Boolean(work) && [line.dataset.from, line.dataset.to].includes(work));
    }
  };
  const workOf = (event) => event.target.closest?.(".nl-nodes > li")?.dataset.work;

  page.addEventListener("change", (event) => {
    const { name, value, dataset, checked } = event.target;
    if (dataset.read) mark(dataset.read, checked);
    if (name === "bottleneck") {
      choose(event.target);
      remember(value);
    }
  });
  page.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-read]");
    if (button) mark(button.dataset.read, !read.has(button.dataset.read));
  });
  for (const kind of ["pointerover", "focusin"]) page.addEventListener(kind, (event) => light(workOf(event)));
  page.addEventListener("pointerleave", () => light());
  page.addEventListener("focusout", () => light());

  for (const control of all("[data-read], [name=bottleneck], .nl-progress")) control.hidden = false;
  const wanted = new URLSearchParams(location.search).get("bottleneck") ?? "";
  const radios = all("[name=bottleneck]");
  const chosen = radios.find((radio) => radio.value === wanted) ?? radios[0];
  if (chosen) chosen.checked = true;
  chosen ? choose(chosen) : showRead();
})();
