"""Serves a folder as a plain host would, under a sub-path: gzip, no special headers; faults on request."""

import gzip
import mimetypes
import threading
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

TEXT = {".wasm", ".html", ".css", ".js", ".mjs", ".json", ".svg", ".xml", ".txt"}
TYPES = {".mjs": "text/javascript", ".js": "text/javascript", ".bin": "application/octet-stream"}
Fault = tuple[int, dict[str, str], bytes]


@cache
def squeezed(path: Path, written: float) -> bytes:
    return gzip.compress(path.read_bytes(), 6, mtime=0)


class Host:
    """`address` is the site's root; `log` has (path, bytes) of every answer; `faults` maps ends of paths to some."""

    def __init__(self, folder: Path, under: str = "/repo/", port: int = 0) -> None:
        self.folder, self.under = folder, under
        self.log: list[tuple[str, int]] = []
        self.faults: dict[str, Fault] = {}
        self.held: dict[str, threading.Event] = {}
        handler = type("Handler", (_Handler,), {"host": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}{under}"

    def answer(self, path: str) -> Fault:
        fault = next((fault for end, fault in self.faults.items() if path.endswith(end)), None)
        if fault:
            return fault
        file = self.folder / path.removeprefix(self.under)
        file = file / "index.html" if file.is_dir() else file
        if not path.startswith(self.under) or not file.is_file():
            return 404, {"Content-Type": "text/html"}, b"<h1>not here</h1>"
        kind = TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        if file.suffix in TEXT:
            return 200, {"Content-Type": kind, "Content-Encoding": "gzip"}, squeezed(file, file.stat().st_mtime)
        return 200, {"Content-Type": kind}, file.read_bytes()

    def hold(self, end: str) -> None:
        """Answers no path with this end until `release`."""
        self.held[end] = threading.Event()

    def release(self) -> None:
        for held in self.held.values():
            held.set()
        self.held.clear()

    def asked(self, part: str) -> list[str]:
        return [path for path, _ in self.log if part in path]

    def sent(self) -> int:
        return sum(size for _, size in self.log)

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


class _Handler(BaseHTTPRequestHandler):
    host: Host
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        for held in [event for end, event in self.host.held.items() if path.endswith(end)]:
            held.wait(60)
        status, headers, body = self.host.answer(path)
        self.host.log.append((path, len(body)))
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(body)), "Cache-Control": "no-cache"} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass
