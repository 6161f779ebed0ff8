"""The command line: the same forms and the same answers as the labs on the page, as a table or as JSON.

    python -m labs memory --preset M2
    python -m labs memory --params 7B --dp 8 --zero 3 --json
    python -m labs pipeline --schedule 1f1b --p 4 --m 8 --language zh
    python -m labs memory --params 7B --dp 8 --zero 3 --before zero=1

Exit code: 0 answered, 2 a value was refused (the reason goes to standard error).
"""

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Mapping
from contextlib import redirect_stdout
from io import TextIOWrapper
from json import dumps
from pathlib import Path
from shlex import quote, split

from labs import __version__, controls, words
from labs.answer import Answer, Table, changed, changes_table, ledger_table
from labs.lab import LABS, Lab, find
from labs.ledger import Changes, difference
from labs.refusal import BadValue


def parser() -> ArgumentParser:
    """One sub-command a lab; its flags are added once it is known which lab is asked, so that no other is imported."""
    about = (__doc__ or "").partition("Exit code")
    top = ArgumentParser(
        "nine-ledgers", description=about[0], epilog=about[1] + about[2], formatter_class=RawDescriptionHelpFormatter
    )
    top.add_argument("--version", action="version", version=__version__)
    top.add_argument("lab", choices=LABS, help="which lab to ask; 'nine-ledgers LAB --help' lists its settings")
    return top


def lab_parser(lab: Lab, language: str) -> ArgumentParser:
    say = words.speaker(lab.name, language)
    asked = f"  nine-ledgers {lab.name}"
    examples = [f"{asked} --preset {lab.presets[0].id}", f"{asked} {typed(lab.presets[-1].form)} --json"]
    whole = ArgumentParser(
        f"nine-ledgers {lab.name}", description=say("title"), epilog="\n".join([say("examples"), *examples]),
        formatter_class=RawDescriptionHelpFormatter, allow_abbrev=False,
    )  # fmt: skip
    whole.add_argument("--preset", default="", help=" · ".join(preset.id for preset in lab.presets))
    whole.add_argument("--before", metavar="'NAME=VALUE …'", default="", help=say("command.before"))
    whole.add_argument("--json", action="store_true", help=say("command.json"))
    whole.add_argument("--language", default=language, choices=words.LANGUAGES)
    if "files" in controls.start(lab.groups):
        whole.add_argument("--save", metavar="FOLDER", help=say("command.save"))
    for group in lab.groups:
        section = whole.add_argument_group(say(f"groups.{group.key}"))
        for control in group.controls:
            # `--exact` alone is `--exact on`
            bare = isinstance(control, controls.Toggle) or "on" in getattr(control, "options", ())
            section.add_argument(
                *flags(control.name),
                dest=control.name,
                help=described(control, say),
                nargs="?" if bare else None,
                const="on" if bare else None,
            )
    return whole


def spoken(argv: list[str]) -> str:
    """The language that is asked for, known before the settings are, since they are described in it."""
    early = ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    early.add_argument("--language", nargs="?", default="en")
    language = early.parse_known_args(argv)[0].language
    return language if language in words.LANGUAGES else "en"


def typed(form: Mapping[str, str]) -> str:
    """The settings of a preset as they are typed in a shell."""
    return " ".join(f"{flags(name)[0]} {quote(value)}" for name, value in form.items())


def flags(name: str) -> list[str]:
    """A control's own name, and for one with an underscore the spelling that a shell expects."""
    return list(dict.fromkeys(("--" + name.replace("_", "-"), "--" + name)))


def described(control: controls.Control, say: words.Speaker) -> str:
    """Label, legal values and the start value; a percent sign is argparse's own and is doubled."""
    label = say(f"controls.{control.name}.label")
    free = isinstance(control, controls.Number | controls.Text)
    legal = "" if free else " | ".join(getattr(control, "options", ("on", "off")))
    unit = getattr(control, "unit", "")
    start = say("command.start", text=control.text) if control.text else ""
    return f"{label}{f' [{unit}]' if unit else ''}{f': {legal}' if legal else ''}{start}".replace("%", "%%")


def unknown(strange: list[str]) -> dict[str, str]:
    """A flag that is no control's, to be refused as in a link: with the nearest name."""
    if not strange:
        return {}
    name, _, value = strange[0].lstrip("-").partition("=")
    return {name.replace("-", "_"): value or " ".join(strange[1:2])}


def given(lab: Lab, asked: Namespace) -> dict[str, str]:
    names = [control.name for control in controls.every(lab.groups)]
    return {name: getattr(asked, name) for name in names if getattr(asked, name) is not None}


def since(lab: Lab, form: Mapping[str, str], settings: str, answered: Answer, language: str) -> Changes:
    """What the form changed in the bill of the same form with `settings`. BadValue: one of them is no NAME=VALUE."""
    try:
        pairs = [setting.partition("=") for setting in split(settings)]
    except ValueError:  # a quotation that is never closed
        pairs = [(settings, "", "")]
    for name, equals, _ in pairs:
        if not equals:
            raise BadValue("before", name, "name_and_value", example=f"{next(iter(form))}=…")
    before = lab.ask(dict(form) | {name.replace("-", "_"): value for name, _, value in pairs}, language, shell=True)
    return difference(before.rows, answered.rows)


def main(arguments: list[str] | None = None) -> int:
    argv = sys.argv[1:] if arguments is None else arguments
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that claims ASCII would end at the first Han character
            stream.reconfigure(encoding="utf-8")
    name = parser().parse_args(argv[:1] or ["--help"]).lab
    lab, language = find(name), spoken(argv)
    asked, strange = lab_parser(lab, language).parse_known_args(argv[1:])
    language, folder = asked.language, vars(asked).get("save")
    try:
        form = lab.form(asked.preset, given(lab, asked) | unknown(strange) | ({"files": "on"} if folder else {}))
        with redirect_stdout(sys.stderr):  # what a model prints is no part of its answer
            answered = lab.ask(form, language, shell=True)
            changes = since(lab, form, asked.before, answered, language) if asked.before else None
        compared = {"changes": changed(changes)} if changes else {}
        said = dumps(lab.facts(form, answered) | compared, ensure_ascii=False) if asked.json else ""
        save(answered, folder)
        beside = (changes_table(changes, asked.before, words.speaker(name, language)),) if changes else ()
        print(said or text(answered, beside, lab, language))
    except BadValue as refused:
        print(refused.message(language, name), file=sys.stderr)
        return 2
    return 0


def save(answered: Answer, folder: str | None) -> None:
    """Write what the answer has to take away; the names go to standard error, so that the answer can be piped."""
    for file in answered.files if folder else ():
        path = Path(str(folder)) / file.name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file.content, encoding="utf-8")
        except OSError as error:
            raise BadValue("save", folder, "not_written", why=error.strerror) from None
        print(path, file=sys.stderr)


def text(answered: Answer, beside: tuple[Table, ...], lab: Lab, language: str) -> str:
    """Verdict, what was asked `beside` the answer, its tables, the two sentences; plain text for a terminal."""
    say = words.speaker(lab.name, language)
    tables = (*beside, *((ledger_table(answered, say),) if answered.rows else ()), *answered.tables)
    closing = [f"{say('saved_label')}: {answered.saved}", f"{say('moved_label')}: {answered.moved}"]
    return "\n\n".join([answered.verdict.text, *answered.warnings, *map(columns, tables), "\n".join(closing)])


def columns(table: Table) -> str:
    """The table with aligned columns; a Han character is two columns wide."""
    rows = [tuple(map(str, table.head)), *(tuple(map(str, row)) for row in table.rows)]
    wide = [max(width(row[i]) for row in rows) for i in range(len(table.head))]
    lines = ["  ".join(cell + " " * (wide[i] - width(cell)) for i, cell in enumerate(row)).rstrip() for row in rows]
    return "\n".join([table.caption, "-" * width(table.caption), *lines])


def width(cell: str) -> int:
    return sum(2 if "\u2e80" <= letter <= "\uffe6" else 1 for letter in cell)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:  # `| head` has read enough
        sys.stdout = None
        sys.exit(0)
