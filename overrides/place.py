"""Where a page stands, so that what is written on it can link elsewhere and a mistake in it can be found."""

from dataclasses import dataclass
from posixpath import dirname, join, relpath

LANGUAGES = ("zh", "en")


class Mistake(ValueError):
    """Something an author can mend: `file:line: what is wrong, and what would be right`."""


@dataclass(frozen=True)
class Place:
    """`page` is the path inside its language's folder; `offset` the lines before its text (front matter)."""

    page: str = "index.md"
    language: str = "zh"
    offset: int = 0
    folder: str = "docs"
    directory_urls: bool = True

    @property
    def file(self) -> str:
        return f"{self.folder}/{self.language}/{self.page}"

    def mistake(self, line: int, what: str) -> Mistake:
        """`line` counts from 0 in the page's text."""
        return Mistake(f"{self.file}:{self.offset + line + 1}: {what}")

    def source(self, target: str) -> str:
        """The link a Markdown author would write from here to another page of the same language."""
        path, _, anchor = target.partition("#")
        return relpath(path, dirname(self.page) or ".") + (f"#{anchor}" if anchor else "")

    def url(self, target: str) -> str:
        """The same link as a browser needs it, for HTML that no generator rewrites."""
        path, _, anchor = target.partition("#")
        return relpath(self._url(path), self._folder) + self._tail(path) + (f"#{anchor}" if anchor else "")

    def asset(self, path: str) -> str:
        """A file of the site that its languages share; the first language is at the root, the others in folders."""
        return relpath(path, join("" if self.language == LANGUAGES[0] else self.language, self._folder))

    @property
    def _folder(self) -> str:
        return self._url(self.page) if self.directory_urls else dirname(self.page) or "."

    def _url(self, path: str) -> str:
        if not self.directory_urls:
            return path.removesuffix(".md") + ".html"
        return path.removesuffix("index.md").removesuffix(".md").rstrip("/") or "."

    def _tail(self, path: str) -> str:
        return "/" if self.directory_urls else ""
