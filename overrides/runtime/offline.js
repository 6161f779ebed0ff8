// The copy that is opened from a folder: there a page may fetch nothing, start no module and no worker file. So a classic
// script brings every part as base64, and hands them to a worker made from a Blob when a lab is first wanted, as online.
// Written before labs.js, which asks for `nineLedgersOffline` where it is there.
const partsURL = new URL("parts.js", document.currentScript.src).href;

globalThis.nineLedgersOffline = async () => {
  const { scripts, files } = await arrived(), parts = {};
  for (const [name, text] of Object.entries(scripts)) parts[name] = `data:text/javascript;base64,${text}`;
  for (const [name, text] of Object.entries(files)) parts[name] = bytes(text);
  const worker = new Blob([CLASSIC, bytes(scripts["worker.js"])], { type: "text/javascript" });
  return { made: new (globalThis.ThreadWorker ?? Worker)(URL.createObjectURL(worker)), parts };
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
