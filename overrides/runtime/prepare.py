"""Runs in Pyodide before its memory is kept: whatever an answer may need is loaded, whatever it will not is dropped."""

import gc
import json
import linecache
import sys
import zipimport
from functools import _lru_cache_wrapper

from labs import lab, words
from labs.fingerprint import fingerprint

fingerprint()
for name in words.names():
    words.load(name)
for name in lab.LABS:
    for preset in lab.find(name).presets:
        for language in words.LANGUAGES:
            answer = lab.render(json.dumps({"lab": name, "form": preset.form, "language": language}))
            if '"regions"' not in answer:
                said = json.loads(answer).get("error", {}).get("message", answer)
                raise ValueError(f"labs/views: {name} refuses its own preset {preset.id} ({language}): {said}")

for kept in gc.get_objects():
    if isinstance(kept, _lru_cache_wrapper) and kept.__module__.startswith(
        ("labs.draw", "labs.models", "labs.views", "labs.workloads")
    ):
        kept.cache_clear()

del answer, kept, name, preset, language
linecache.clearcache()
sys.path_importer_cache.clear()
zipimport._zip_directory_cache.clear()
gc.collect()
