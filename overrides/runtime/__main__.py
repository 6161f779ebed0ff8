"""`python -m overrides.runtime`: what the browser loads; with `offline`: the folder to download too."""

import sys

from overrides.runtime.build import build
from overrides.runtime.offline import offline

if __name__ == "__main__":
    for path in filter(lambda path: path.is_file(), sorted(build().iterdir())):
        print(f"{path.stat().st_size / 1e6:6.2f} MB  {path.name}")
    if sys.argv[1:] == ["offline"]:
        made = offline()
        print(f"{made.stat().st_size / 1e6:6.2f} MB  {made}")
