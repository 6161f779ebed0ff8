"""MkDocs only: tells each page its place, packs what a browser loads, and seals the built pages. No meaning lives here.

Environment: OFFLINE=1 builds the copy that is opened from a folder.
"""

import os
import sys
from pathlib import Path
from typing import Any

# A build sees labs/ and overrides/ as they are now: `serve` runs many builds in one process.
for loaded in [name for name in sys.modules if name.partition(".")[0] in ("labs", "overrides")]:
    del sys.modules[loaded]

from mkdocs.config.config_options import Hooks  # noqa: E402
from mkdocs.config.defaults import MkDocsConfig  # noqa: E402
from mkdocs.exceptions import Abort  # noqa: E402
from mkdocs.plugins import CombinedEvent, event_priority  # noqa: E402
from mkdocs.structure.files import File, Files  # noqa: E402
from mkdocs.structure.pages import Page  # noqa: E402

from overrides import cards, chain, claims, downloads, links, maths, runtime, seal, search, translations  # noqa: E402
from overrides import editions as edition  # noqa: E402
from overrides.place import Mistake, Place  # noqa: E402

ROOT = Path(__file__).parent.parent
OFFLINE = os.environ.get("OFFLINE", "") not in ("", "0")
EDITIONS = {"zh": "中文", "en": "English"}
# The theme searches in a frame that the shim gives out as a worker; the labs want the worker itself.
SHIM = "self.ThreadWorker = self.Worker;\n" + (ROOT / "node_modules/iframe-worker/shim/index.js").read_text()


def on_startup(command: str, dirty: bool) -> None:
    # Compiled files beside the watched sources would start a second build after each first.
    sys.dont_write_bytecode = command == "serve"
    # Kept by the process, since this module is loaded anew for each build.
    os.environ["SERVED"] = "1" if command == "serve" else ""


def on_serve(server: Any, config: MkDocsConfig, builder: Any) -> Any:
    for folder in ("labs", "overrides"):
        server.watch(str(ROOT / folder))
    return server


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    # MkDocs keeps a hook once it is loaded; dropped here, it is loaded for the next build, also if this one fails.
    Hooks._load_hook.cache_clear()
    search.prepare()
    if not config.repo_url:
        config.edit_uri = ""
    config.extra["lab_script"] = runtime.script()
    config.extra["lab_script_kind"] = "text/javascript" if OFFLINE else "module"
    if OFFLINE:
        config.site_url, config.use_directory_urls = "", False
        config.theme["features"] = [f for f in config.theme["features"] if not f.startswith("navigation.instant")]
        config.extra["polyfills"] = ["assets/site/iframe-worker.js"]
    return config


def on_pre_build(config: MkDocsConfig) -> None:
    links.check_pages(config.nav or [])
    translations.check()
    claims.check()
    chain.check()


def on_env(env: Any, config: MkDocsConfig, files: Files) -> Any:
    env.globals["extra_editions"] = editions
    check_links(files)
    for page in filter(None, (file.page for file in files.documentation_pages())):
        # In lists of pages a chapter goes by its number; the page itself says its name only.
        if page.file.name[:2].isdigit():
            page.title = f"{page.file.name[:2]} {page.title}"
    return env


def check_links(files: Files) -> None:
    """Once every page is HTML, so that the anchors of all are known."""
    pages = {file.norm_src_uri: file for file in files.documentation_pages()}
    anchors = {path: set(getattr(file.page, "present_anchor_ids", ())) for path, file in pages.items()}
    for path, file in pages.items():
        links.check_links(Place(path, file.locale), file.content_string, anchors)


def editions(page: Page | None) -> list[dict[str, str]]:
    """This page in each language; the home pages where there is no page, as on 404."""
    homes = {"zh": "index.html" if OFFLINE else "", "en": "en/index.html" if OFFLINE else "en/"}
    urls = {language: file.url for language, file in page.file.alternates.items()} if page else homes
    return [{"language": key, "name": EDITIONS[key], "url": urls[key]} for key in EDITIONS if key in urls]


def choose_files(files: Files, config: MkDocsConfig) -> Files:
    """Of this folder only the assets travel: the rest is templates and what builds them. Of the theme, what is used."""
    for file in list(files):
        ours = Path(file.abs_src_path or "").is_relative_to(ROOT / "overrides")
        if ours and not file.src_uri.startswith(("assets/site/", "assets/labs/labs.css")):
            files.remove(file)
        if file.src_uri.endswith(".map") or file.src_uri.startswith("assets/javascripts/lunr/"):
            files.remove(file)
    for language in EDITIONS:
        for path in cards.sources(language):
            files.append(File(f"{language}/{path}", config.docs_dir, config.site_dir, config.use_directory_urls))
    return files


@event_priority(-101)
def write_cards(files: Files, config: MkDocsConfig) -> Files:
    """Pages that are made, not written, get their Markdown after the i18n plugin, which makes every File anew."""
    for file in files.documentation_pages():
        if made := cards.sources(file.locale).get(file.norm_src_uri):
            file.content_string, file.edit_uri = made, "data/cards.yml"
    return files


on_files = CombinedEvent(choose_files, write_cards)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """The extensions are made anew for each page, from these options."""
    edition.check_opening(page.file.norm_src_uri, page.file.locale, page.file.content_string)
    lines = page.file.content_string.rstrip().count("\n") - markdown.rstrip().count("\n")
    place = Place(page.file.norm_src_uri, page.file.locale, lines, "docs", config.use_directory_urls)
    for extension in ("overrides.fences", "overrides.maths", "overrides.tables"):
        config.mdx_configs[extension] = {"place": place}
    return markdown


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    # MkDocs looks for anchors before our HTML is back in its place.
    html = edition.note(page.file.norm_src_uri, page.file.locale, page.meta) + html
    page.present_anchor_ids = seal.ids(html)
    return html


def on_post_page(output: str, page: Page | None, config: MkDocsConfig) -> str:
    return output if OFFLINE else seal.sealed(output, served=bool(os.environ.get("SERVED")))


def on_post_template(output: str, template_name: str, config: MkDocsConfig) -> str:
    return on_post_page(output, None, config) if template_name.endswith(".html") else output


@event_priority(-200)
def on_post_build(config: MkDocsConfig) -> None:
    """After the i18n plugin, which builds the second language from within this event and then joins the indexes."""
    if not config.plugins["i18n"].building:
        search.split(Path(config.site_dir), OFFLINE)
        pack(Path(config.site_dir))
        maths.close()


def pack(site: Path) -> None:
    files: dict[str, Any] = (
        maths.files()
        | downloads.files()
        | runtime.files(OFFLINE)
        | ({"assets/site/iframe-worker.js": SHIM} if OFFLINE else {})
    )
    for path, content in files.items():
        target = site / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else Path(content).read_bytes())


def on_build_error(error: Exception) -> None:
    if isinstance(error, Mistake):
        raise Abort(str(error)) from error
