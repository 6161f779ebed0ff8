"""`python -m overrides.runtime`: what the browser loads; with `offline`: the folder to download too."""

import sys

from overrides.runtime.build import build

if __name__ == "__main__":
    folder = build()
    sizes = {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
    print(*(f"{size / 1e6:6.2f} MB  {name}" for name, size in sizes.items()), sep="\n")
    if sys.argv[1:] == ["offline"]:
        from overrides.runtime.offline import offline

        print(offline())
