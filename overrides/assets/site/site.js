// Mends three habits of the theme, before its own script starts. Works without it: every link is a link.

// It asks for a sitemap beside each page of the other language, where none is; and opened from a folder, for any at all.
const open = XMLHttpRequest.prototype.open;
XMLHttpRequest.prototype.open = function (method, url, ...rest) {
  const wanted = new URL(url, location.href);
  const root = JSON.parse(document.getElementById("__config").textContent).base;
  const own = `${new URL("sitemap.xml", new URL(root, base))}`;
  if (wanted.pathname.endsWith("/sitemap.xml") && (wanted.protocol === "file:" || `${wanted}` !== own)) this.send = () => {};
  return open.call(this, method, url, ...rest);
};
// The page's address when it was loaded: instant navigation changes the address, but not what "../.." in it meant.
const base = location.href;

// Its header stays while pages change under it, and with it the link to the other language of the first page.
// The query holds the state of the labs: it goes along.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a.md-select__link[hreflang]");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const edition = document.querySelector(`head link[rel=alternate][hreflang=${link.hreflang}]`);
  event.preventDefault();
  event.stopPropagation();
  location.assign(Object.assign(new URL((edition ?? link).href), { search: location.search }));
}, true);

// Folded answers are printed open, and folded again.
let unfolded = [];
addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("details:not([open])")];
  for (const details of unfolded) details.open = true;
});
addEventListener("afterprint", () => unfolded.forEach((details) => (details.open = false)));
