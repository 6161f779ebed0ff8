// Python in a worker. It starts from a snapshot in which labs is imported, or plainly where that fails; then one JSON
// string goes in and one comes out. The same text runs as a module over http and, from a folder, as a classic Blob worker.
//   in   {start: {base, parts}}, then {id, request} and {practice: [request]}
//   out  {loading, size}, then {ready: fingerprint} or {failed}, then {id, answer} or {id, failed}
const ENVIRONMENT = { PYTHONHASHSEED: "0", PYTHONOPTIMIZE: "2" };
const EMPTY_ZIP = new Uint8Array([80, 75, 5, 6, ...Array(18).fill(0)]);
const fetchURL = self.fetch.bind(self);
let base, parts, render;

self.onmessage = async ({ data }) => {
  if (data.start) return start(data.start).catch(error => postMessage({ failed: error.why ?? error.message, detail: String(error) }));
  if (data.practice) return practise(data.practice);
  try {
    postMessage({ id: data.id, answer: render(data.request) });
  } catch (error) {
    postMessage({ id: data.id, failed: String(error) });
  }
};

// Answered to nobody, one at a time, so that what a reader asks meanwhile comes between.
const practise = ([one, ...others]) => one && (render(one), setTimeout(practise, 0, others));

async function start(given) {
  ({ base, parts = {} } = given);
  const python = await boot();
  render = python.pyimport("labs.lab").render;
  postMessage({ ready: python.pyimport("labs.fingerprint").fingerprint() });
}

// A failure with the key of the sentence that tells the reader why.
const fail = (why, detail) => Object.assign(new Error(detail), { why });

// A part lies beside this script, or came with the message: a module as a data: address, anything else as bytes.
const open = async (name, how) => parts[name] ? new Response(parts[name]) : fetchURL(base + name, how);
const module = name => import(parts[name] ?? base + name).catch(error => { throw fail("no_file", `${name}: ${error}`); });

async function get(name) {
  const response = await open(name).catch(error => { throw fail("no_file", `${name}: ${error}`); });
  if (!response.ok || /html/.test(response.headers.get("content-type"))) throw fail("no_file", `${name}: ${response.status}`);
  return response;
}

// Compressed ahead, since hosts differ in what they compress; counted while it comes.
async function unpack(name, count, type) {
  const counted = new TransformStream({ transform: (chunk, next) => { count(chunk.length); next.enqueue(chunk); } });
  const plain = (await get(name)).body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain, { headers: { "content-type": type } });
}

// All parts come at once, and the program is compiled while the rest is on its way.
async function boot() {
  let seen = 0, size = 0;
  const count = length => { seen += length; if (size) postMessage({ loading: seen, size }); };
  const compiled = unpack("program.bin", count, "application/wasm").then(compile);
  const snapshot = unpack("snapshot.bin", count, "").then(response => response.arrayBuffer());
  const modules = Promise.all([module("pyodide.mjs"), module("pyodide.asm.mjs")]);
  const index = get("runtime.json").then(response => response.json()).then(({ lock, sizes }) => {
    size = sizes["program.bin"] + sizes["snapshot.bin"];
    return lock;
  });
  snapshot.catch(() => {});
  const [program, [{ loadPyodide }, { default: createPyodideModule }], lockFileContents] = await Promise.all([compiled, modules, index]);
  lend(program);
  const options = { indexURL: base, packageBaseUrl: base, lockFileContents, env: ENVIRONMENT };
  try {
    const { image, complete } = restored(await snapshot);
    const create = async settings => complete(await createPyodideModule(settings));
    return await loadPyodide({ ...options, createPyodideModule: create, _loadSnapshot: image, stdLibURL: base + "empty.zip" });
  } catch (error) {
    console.warn("The snapshot could not be used; Python starts from its library instead.", error);
    return loadPyodide({ ...options, createPyodideModule, packages: ["nine-ledgers"] });
  }
}

// Anything but bytes that are no program, which a stream tells by another error, means that the browser will not compile.
const compile = response => WebAssembly.compileStreaming(response).catch(error => {
  throw fail(error instanceof WebAssembly.CompileError ? "no_wasm" : "no_file", `program.bin: ${error}`);
});

// What Pyodide fetches, it is given: the compiled program, beside a snapshot an empty library, the parts.
function lend(program) {
  WebAssembly.instantiateStreaming = async (_, imports) =>
    ({ module: program, instance: await WebAssembly.instantiate(program, imports) });
  self.fetch = async (resource, how) => {
    const name = String(resource).split("/").at(-1);
    return name.endsWith(".wasm") ? null : name === "empty.zip" ? new Response(EMPTY_ZIP) : open(name, how);
  };
}

// overrides/runtime/snapshot.mjs leaves out zeros, and what every fresh interpreter holds: that is put back before the
// snapshot is laid over the memory, and must come to the same check.
function restored(file) {
  const [kept, known, length, heapAt, check] = new Uint32Array(file, 0, 5), image = new Uint8Array(length);
  const bounds = new Uint32Array(file, 20, 2 * (kept + known));
  for (let i = 0, at = 20 + bounds.byteLength; i < 2 * kept; at += bounds[i + 1] - bounds[i], i += 2) {
    image.set(new Uint8Array(file, at, bounds[i + 1] - bounds[i]), bounds[i]);
  }
  const complete = module => {
    let sum = 0;
    for (let i = 2 * kept; i < bounds.length; i += 2) {
      for (let at = bounds[i] / 4; at < bounds[i + 1] / 4; at++) sum = Math.imul(sum, 31) + module.HEAPU32[at] >>> 0;
      image.set(module.HEAPU8.subarray(bounds[i], bounds[i + 1]), heapAt + bounds[i]);
    }
    if (sum !== check) throw new Error("a fresh interpreter differs from the one that the snapshot was made with");
    // How C calls back through its table is each browser's own: WebKit has no garbage-collected types to ask a type with.
    const trampoline = module.__PyRuntime + module.HEAP32[module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET / 4];
    image.set(module.HEAPU8.subarray(trampoline, trampoline + 4), heapAt + trampoline);
    if (image.length - heapAt > module.HEAPU8.length) module._free(module._malloc(image.length));  // grows it
    return module;
  };
  return { image, complete };
}
