"""The three browsers that the tests drive: which programs they are, and how a machine gets them.

`python -m tests.browsers` installs what is missing where apt is at hand and may be used, then names what it found and
what it did not. With REQUIRE_BROWSERS=chromium,firefox,webkitgtk a missing one is an error; otherwise the tests run in
those that `found()` gives.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

MAC = "/Applications/{0}.app/Contents/MacOS/{0}"


@dataclass(frozen=True)
class Browser:
    """A browser by any of its programs, and the Debian packages that bring it."""

    name: str
    programs: tuple[str, ...]
    packages: tuple[str, ...]
    needs: tuple[str, ...] = ()

    @property
    def program(self) -> str | None:
        """Where it is, or None; a browser without the programs it needs is not there."""
        if any(shutil.which(program) is None for program in self.needs):
            return None
        return next(filter(None, map(shutil.which, self.programs)), None)


BROWSERS = (
    Browser(
        "chromium",
        ("chromium", "chromium-browser", "google-chrome", MAC.format("Google Chrome"), MAC.format("Chromium")),
        ("chromium",),
    ),
    Browser(
        "firefox", ("firefox-esr", "firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"), ("firefox-esr",)
    ),
    # The driver starts the small browser that comes with it, which has no headless mode: hence the virtual screen.
    Browser("webkitgtk", ("WebKitWebDriver",), ("webkit2gtk-driver", "xvfb"), needs=("Xvfb",)),
)


def found() -> dict[str, str]:
    """Name → program of every browser on this machine."""
    return {browser.name: browser.program for browser in BROWSERS if browser.program}


def required() -> set[str]:
    """The names in REQUIRE_BROWSERS."""
    names = set(os.environ.get("REQUIRE_BROWSERS", "").replace(",", " ").split())
    unknown = names - {browser.name for browser in BROWSERS}
    if unknown:
        sys.exit(f"REQUIRE_BROWSERS names no browser of ours: {', '.join(sorted(unknown))}")
    return names


def missing_packages() -> list[str]:
    """What to ask apt for: also Chinese glyphs, since a page of boxes breaks its lines elsewhere and hides overlaps."""
    packages = [package for browser in BROWSERS if not browser.program for package in browser.packages]
    if not list(Path("/usr/share/fonts").glob("**/NotoSansCJK*")):
        packages.append("fonts-noto-cjk")
    return packages


def apt() -> list[str] | None:
    """How this user may call apt-get without being asked for a password, or None."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return ["apt-get"]
    may = shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0
    return ["sudo", "-n", "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"] if may else None


def install(packages: list[str], command: list[str]) -> None:
    """Install each package by itself: one that this system's archive lacks must not hold up the others."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run([*command, "update", "-qq"], stdin=subprocess.DEVNULL)
    for package in packages:
        line = [*command, "install", "-y", "-qq", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=120", package]
        done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment)
        print(f"{package}: {'installed' if done.returncode == 0 else done.stderr.strip()}", flush=True)


def main() -> int:
    packages, command = missing_packages(), apt()
    if packages and command:
        install(packages, command)
    here = found()
    for browser in BROWSERS:
        print(f"{browser.name}: {here.get(browser.name, 'not found')}")
    lacking = sorted(required() - here.keys())
    if lacking:
        print(f"missing, though REQUIRE_BROWSERS names them: {', '.join(lacking)}", file=sys.stderr)
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
