"""Nine Ledgers: what training a large model costs, in bytes, seconds and copies, with a source beside each formula.

`labs.models` holds the arithmetic; `labs.lab.render` answers a form; `python -m labs` asks from a shell.
Standard library only, because the same package runs in a reader's browser.
"""

__version__ = "0.1.0"
