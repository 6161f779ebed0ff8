"""A quoted figure says all it must, and none changes unseen; the errata are made from what their history tells."""

from copy import deepcopy
from datetime import date

import pytest

from overrides import claims, entries, errata, facts
from overrides.facts import Facts, load
from overrides.place import Mistake, Place

CLAIM = {
    "id": "v3-gpus",
    "value": 2048,
    "unit": "",
    "convention": {"zh": "H800，每节点 8 张", "en": "H800, eight a node"},
    "source": "deepseek-v3",
    "place": "§3.1",
    "grade": "A",
    "date": date(2026, 11, 29),
    "history": [],
}
CHANGE = {
    "date": date(2026, 12, 1),
    "old": 2000,
    "new": 2048,
    "reason": {"zh": "抄错了", "en": "a slip"},
    "source": "deepseek-v3",
}


def claim(**fields):
    return deepcopy(CLAIM) | fields


def said(**fields):
    return [f"{field}: {what}" for field, what in claims.faults(claim(**fields))]


def test_every_claim_of_the_course_says_all_it_must():
    claims.check()


def test_every_claim_is_locked_and_none_changed_unseen():
    lock = claims.locked(claims.LOCK.read_text("utf-8"))
    held = load("claims").entries
    assert list(claims.unseen(lock, held)) == []
    assert claims.fresh(lock, held) == [], "run python -m overrides.claims --lock"


def test_a_whole_claim_has_no_fault():
    assert said() == []
    assert said(history=[CHANGE]) == []


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ({"weight": 1}, "weight: no claim has a field `weight`"),
        ({"id": "V3 GPUs"}, "id: an id is small letters"),
        ({"value": "many"}, "value: 'many' is no number"),
        ({"value": {}}, "value: {} is no number"),
        ({"unit": None}, "unit: a unit is a text"),
        ({"convention": {"zh": "每节点 8 张"}}, "convention: `convention` needs zh and en"),
        ({"convention": {"zh": "每节点 8 张", "en": ""}}, "convention: `convention` needs zh and en"),
        ({"shown": "2,048"}, "shown: `shown` needs zh and en"),
        ({"source": "deepseek-v33"}, "source: 'deepseek-v33' is no work of sources.yml"),
        ({"source": "deepseek-ai/DeepEP"}, "source: 'deepseek-ai/DeepEP' is no work of sources.yml"),
        ({"grade": "D"}, "grade: grade is A"),
        ({"place": " "}, "place: a place is a section"),
        ({"date": "soon"}, "date: 'soon' is no date"),
        ({"history": [{"old": 1}]}, "history: a change has date, old, new, reason"),
        ({"history": [CHANGE | {"new": 2049}]}, "history: the last change ends at 2049, but the value is 2048"),
        ({"history": [CHANGE | {"new": 2001}, CHANGE]}, "history: the change of 2026-12-01 does not begin where"),
    ],
)  # fmt: skip
def test_a_claim_that_lacks_something_is_told_what(fields, wanted):
    assert said(**fields)[0].startswith(wanted)


def test_a_claim_without_a_field_is_told_which():
    broken = claim()
    del broken["place"]
    assert list(claims.faults(broken)) == [("id", "`place` is missing")]


def test_a_fault_is_told_with_its_file_and_line(tmp_path, monkeypatch):
    text = "# figures\n- id: a\n  value: 1\n- id: b\n  value: 2\n  grade: D\n"
    (tmp_path / "claims.yml").write_text(text, "utf-8")
    monkeypatch.setattr(entries, "DATA", tmp_path)
    assert str(entries.mistake("claims", "b", "grade", "wrong")) == "docs/data/claims.yml:6: b: wrong"
    assert str(entries.mistake("claims", "b", "place", "missing")) == "docs/data/claims.yml:4: b: missing"


def test_two_entries_of_one_id_are_told(tmp_path, monkeypatch):
    (tmp_path / "twice.yml").write_text("- id: a\n- id: b\n- id: a\n", "utf-8")
    monkeypatch.setattr(facts, "DATA", tmp_path)
    with pytest.raises(Mistake, match="twice.yml:3: a: 2 entries have this id; give each its own"):
        facts.load("twice")


# ---- the lock


def lock(*held):
    return {one["id"]: claims.now(one) for one in held}


@pytest.mark.parametrize("fields", [{"value": 2049}, {"unit": "GPU"}, {"convention": {"zh": "H800", "en": "H800"}}])
def test_a_changed_value_unit_or_convention_without_a_history_is_seen(fields):
    changed = claim(**fields)
    assert len(list(claims.unseen(lock(CLAIM), {"v3-gpus": changed}))) == 1


def test_a_change_that_its_history_tells_passes():
    assert list(claims.unseen(lock(claim(value=2000)), {"v3-gpus": claim(history=[CHANGE])})) == []


def test_a_history_with_another_old_value_does_not_pass():
    told = claim(history=[CHANGE | {"old": 1999}])
    assert len(list(claims.unseen(lock(claim(value=2000)), {"v3-gpus": told}))) == 1


def test_a_change_of_unit_passes_when_its_history_has_the_old_unit():
    before = claim(value=2, unit="K")
    told = claim(history=[CHANGE | {"old": 2, "old_unit": "K"}])
    assert list(claims.unseen(lock(before), {"v3-gpus": told})) == []


def test_a_figure_that_is_taken_away_is_seen():
    assert [key for key, what in claims.unseen(lock(CLAIM), {}) if "it is gone" in what] == ["v3-gpus"]


def test_a_new_figure_waits_to_be_locked():
    assert claims.fresh({}, {"v3-gpus": CLAIM}) == ["v3-gpus"]


def test_a_place_a_grade_or_a_date_may_change_without_a_history():
    told = claim(place="§3.1, page 11", grade="B", date=date(2027, 1, 1))
    assert list(claims.unseen(lock(CLAIM), {"v3-gpus": told})) == []


def test_the_lock_is_written_only_when_nothing_is_unseen(tmp_path, monkeypatch, capsys):
    file = tmp_path / "claims.lock"
    monkeypatch.setattr(claims, "LOCK", file)
    assert claims.main(["--lock"]) == 0
    whole = file.read_text("utf-8")
    file.write_text(whole.replace("v3-gpus ", "v3-gpus 0"), "utf-8")
    assert claims.main(["--lock"]) == 1
    assert "v3-gpus: it changed: its history needs an entry" in capsys.readouterr().err


# ---- the errata


def test_the_errata_page_counts_corrections_of_the_data(pages):
    held = load("claims").entries.values()
    for path in ("errata/index.html", "en/errata/index.html"):
        counted = pages[path].having("data-corrections")[0][1]["data-corrections"]
        assert int(counted) == sum(len(one["history"]) for one in held)
        assert str(len(held)) in pages[path].words


def test_a_correction_is_told_with_both_values_its_reason_and_its_source(monkeypatch):
    monkeypatch.setattr(errata, "load", lambda kind: Facts(kind, {"v3-gpus": claim(history=[CHANGE])}))
    table = errata.errata({}, Place("errata.md", "en"))
    for part in ("2026-12-01", "H800, eight a node", "2000", "2048", "a slip", "reading/deepseek-v3/"):
        assert part in table
    assert "抄错了" in errata.errata({}, Place("errata.md", "zh"))


def test_the_latest_correction_stands_first(monkeypatch):
    later = CHANGE | {"date": date(2027, 1, 1), "old": 2048, "new": 2050}
    monkeypatch.setattr(
        errata, "load", lambda kind: Facts(kind, {"v3-gpus": claim(value=2050, history=[CHANGE, later])})
    )
    table = errata.errata({}, Place("errata.md", "en"))
    assert table.index("2027-01-01") < table.index("2026-12-01")
