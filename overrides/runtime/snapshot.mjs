// Writes the memory of a Python that has imported labs, to start from in a browser:
//   node snapshot.mjs PYODIDE_FOLDER LOCK_FILE PREPARE.py OUT
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

// Node would print the whole line of the program that threw, all 1.2 MB of it.
process.on("uncaughtException", error => { console.error(error.message); process.exit(1); });

const [folder, lockFileURL, prepare, out] = process.argv.slice(2);
const load = name => import(pathToFileURL(`${folder}/${name}`));
const { loadPyodide } = await load("pyodide.mjs");
const { default: createModule } = await load("pyodide.asm.mjs");
const env = { PYTHONHASHSEED: "0", PYTHONOPTIMIZE: "2" };

const python = await loadPyodide({ indexURL: folder, lockFileURL, env, packages: ["nine-ledgers"], _makeSnapshot: true });
await python.runPythonAsync(readFileSync(prepare, "utf8"));
delete python.loadedPackages["nine-ledgers"];  // a snapshot may name none
blankFreeMemory(python._module);
const snapshot = Uint8Array.from(python.makeMemorySnapshot());
const heapAt = new Uint32Array(snapshot.buffer)[1];
const known = constants(words(snapshot.subarray(heapAt)), words(await freshMemory()));
writeFileSync(out, gzipSync(packed(snapshot, known), { level: 9 }));

// What was freed still holds old bytes, a quarter of the file. Every free block below the top is taken, blanked, returned.
function blankFreeMemory(module) {
  const heap = module.HEAPU8;
  let top = heap.length;
  while (!heap[top - 1]) top--;
  const held = [];
  for (let size = 1 << 20; size >= 32; size /= 2) {
    let at = module._malloc(size);
    for (; at + size <= top; at = module._malloc(size)) {
      module.HEAPU8.fill(0, at, at + size);
      held.push(at);
    }
    module._free(at);
  }
  held.forEach(at => module._free(at));
}

function words(bytes) {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

// The memory of an interpreter that has not run yet, as the browser's will be when the snapshot is laid over it; of
// another name and surroundings than the one above, so that what depends on these differs and is kept in the file.
async function freshMemory() {
  let memory;
  await loadPyodide({
    indexURL: folder, lockFileURL, _loadSnapshot: snapshot, _sysExecutable: "/elsewhere", env: { HOME: "/elsewhere" },
    createPyodideModule: async settings => {
      const module = await createModule(settings);
      memory = module.HEAPU8.slice();
      if (snapshot.length - heapAt > memory.length) module._free(module._malloc(snapshot.length));  // grows it
      return module;
    },
  });
  return memory;
}

// Runs of at least 64 words that both have, other than zeros: constants of the program, already in its .wasm.
function constants(heap, fresh) {
  const runs = [];
  let end = fresh.length;
  while (!fresh[end - 1]) end--;
  for (let from = 0, at = 0, full = false; at <= end; at++) {
    if (at < end && heap[at] === fresh[at]) { full ||= heap[at] !== 0; continue; }
    if (full && at - from >= 64) runs.push([4 * from, 4 * at]);
    [from, full] = [at + 1, false];
  }
  return runs;
}

// [kept runs, constant runs, length, start of the heap, check of the constants] [from, to]… of both, then the kept runs:
// the snapshot without its constants and without long stretches of zeros, half of it.
function packed(snapshot, known) {
  let check = 0;
  for (const [from, to] of known) {
    const run = words(snapshot.subarray(heapAt + from, heapAt + to));
    for (const word of run) check = Math.imul(check, 31) + word >>> 0;
    run.fill(0);
  }
  const kept = written(words(snapshot));
  const head = [kept.length, known.length, snapshot.length, heapAt, check, ...kept.flat(), ...known.flat()];
  return Buffer.concat([new Uint8Array(Uint32Array.from(head).buffer), ...kept.map(run => snapshot.subarray(...run))]);
}

// Runs that begin and end with a word that is not zero and hold no 64 zeros in a row.
function written(memory) {
  const runs = [];
  let from = -1, last = -1;
  memory.forEach((word, at) => {
    if (word === 0) return;
    if (at - last > 64 || from < 0) {
      if (from >= 0) runs.push([4 * from, 4 * last + 4]);
      from = at;
    }
    last = at;
  });
  return [...runs, [4 * from, 4 * last + 4]];
}
