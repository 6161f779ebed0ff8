// The copy that is opened from a folder: there a page may fetch nothing, start no module and no worker file. So a classic
// script brings every part as base64, and each becomes a Blob; it is loaded when a lab is first wanted, as online.
// Written before labs.js, which asks for `nineLedgersOffline` where it is there.
const partsURL = new URL("parts.js", document.currentScript.src).href;

globalThis.nineLedgersOffline = async () => {
  const { scripts, files } = await arrived();
  const parts = {};
  for (const [name, text] of Object.entries(files)) parts[name] = URL.createObjectURL(new Blob([bytes(text)]));
  for (const [name, text] of Object.entries(scripts)) {
    const plain = new Blob([bytes(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
    const blob = await new Response(plain, { headers: { "content-type": "text/javascript" } }).blob();
    parts[name] = URL.createObjectURL(name === "worker.js" ? new Blob([CLASSIC, blob], { type: blob.type }) : blob);
  }
  return { made: new Worker(parts["worker.js"]), parts };
};

// Blob workers may only be classic here. Pyodide takes a worker for a classic one, and refuses, by this function.
const CLASSIC = "self.importScripts = undefined;\n";

function arrived() {
  return new Promise((resolve, reject) => {
    globalThis.nineLedgersParts = resolve;
    document.head.append(Object.assign(document.createElement("script"), { src: partsURL, onerror: reject }));
  });
}

function bytes(text) {
  return Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
}
