"""One small interface over three browsers: Chromium and Firefox through puppeteer, WebKitGTK through its own driver."""

import json
import os
import socket
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any

from overrides.runtime.build import node

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120.0  # seconds that a page may take on a busy machine


class Browser:
    """What every browser can do: go somewhere, run JavaScript there, wait until something is true."""

    name: str

    def goto(self, url: str) -> None:
        raise NotImplementedError

    def run(self, body: str) -> Any:
        """The value of the body of an async function, run in the page."""
        raise NotImplementedError

    def get(self, expression: str) -> Any:
        return self.run(f"return {expression}")

    def wait(self, expression: str, patience: float = PATIENCE) -> Any:
        """The first truthy value of the expression, while pages come and go. AssertionError: none came."""
        until, value = time.monotonic() + patience, None
        while time.monotonic() < until:
            try:
                value = self.run(f"const value = {expression}; return value instanceof Node || value")
            except RuntimeError as error:
                value = str(error)
            else:
                if value not in (None, False, 0, "", []):
                    return value
            time.sleep(0.05)
        told = self.get("[...document.querySelectorAll('[data-status]')].map(status => status.textContent)")
        raise AssertionError(f"{self.name}: {expression} stayed {value!r}; {told or self.get('document.title')}")


class Puppeteer(Browser):
    """Every method of drive.mjs is a method here."""

    def __init__(self, name: str, program: str) -> None:
        self.name = name
        command = [node(), str(Path(__file__).with_name("drive.mjs")), name, program]
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, method: str, *given: object) -> Any:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps([method, *given]) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline() or '{"error": "the browser is gone"}')
        if "error" in answer:
            raise RuntimeError(f"{self.name} {method}{given}: {answer['error']}")
        return answer["value"]

    def __getattr__(self, method: str) -> Any:
        return lambda *given: self.ask(method, *given)

    def goto(self, url: str) -> None:
        self.ask("goto", url)

    def run(self, body: str) -> Any:
        return self.ask("run", body)

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(30)


class Framed(Browser):
    """The first frame of a page, to be looked at as a page is."""

    def __init__(self, around: Puppeteer) -> None:
        self.name, self.around = around.name, around

    def run(self, body: str) -> Any:
        return self.around.ask("framed", body)


class WebKit(Browser):
    """WebKitGTK's MiniBrowser over WebDriver, on a screen of its own."""

    name = "webkitgtk"

    def __init__(self, program: str) -> None:
        self.port, screen = free_port(), ["-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
        read, write = os.pipe()
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.screen = subprocess.Popen(["Xvfb", "-displayfd", str(write), *screen], pass_fds=[write], **quiet)
        os.close(write)
        with os.fdopen(read) as told:
            display = told.readline().strip()
        environment = os.environ | {"DISPLAY": f":{display}", "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1"}
        self.driver = subprocess.Popen([program, f"--port={self.port}"], env=environment, **quiet)
        self.session = ""
        self.await_driver()
        self.fresh()

    def await_driver(self) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)

    def fresh(self) -> None:
        if self.session:
            self.send("DELETE", f"/session/{self.session}")
        wanted = {"webkitgtk:browserOptions": {"args": ["--automation"]}, "pageLoadStrategy": "normal"}
        self.session = self.send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        self.send("POST", f"/session/{self.session}/timeouts", {"script": 60000, "pageLoad": 60000})

    def send(self, method: str, path: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"webkitgtk {path}: {error.read().decode()[:500]}") from None

    def goto(self, url: str) -> None:
        self.send("POST", f"/session/{self.session}/url", {"url": url})

    def run(self, body: str) -> Any:
        script = f"const done = arguments[0]; (async () => {{ {body} }})().then(done)"
        return self.send("POST", f"/session/{self.session}/execute/async", {"script": script, "args": []})

    def close(self) -> None:
        self.send("DELETE", f"/session/{self.session}")
        for process in (self.driver, self.screen):
            process.terminate()
            process.wait(30)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
