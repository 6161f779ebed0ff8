"""The mesh lab says which product holds, draws every rank once, and refuses with the reason and the way out."""

import re
from collections import Counter

import pytest

from labs import controls, words
from labs.answer import Answer
from labs.lab import find
from labs.refusal import BadValue

LAB = find("mesh")
PRESETS = [preset.id for preset in LAB.presets]
CELL = re.compile(r'<g class="([^"]*)"><title>([^<]*)</title>.*?nl-value">([^<]*)</text><text[^>]*>([^<]*)<')


def ask(preset: str = "X1", language: str = "en", **changed: str) -> Answer:
    return LAB.ask(LAB.form(preset, changed), language)


def cells(answer: Answer) -> list[tuple[str, str, str, str]]:
    """Each drawn rank: classes, title, number, small text."""
    return CELL.findall(answer.figure)


def values(answer: Answer) -> dict[str, float]:
    return {row.name: row.value for row in answer.rows}


# ---- presets: inputs → results of CONTENT 12


@pytest.mark.parametrize(
    ("preset", "kind", "wanted"),
    [
        ("X1", "good", {"tp": 8, "pp": 4, "dp": 2, "gpus": 64, "idle": 0}),
        ("X2", "good", {"pp": 16, "dp": 16, "gpus": 256, "ep": 16, "edp": 1}),
        ("X3", "good", {"tp": 8, "pp": 2, "cp": 2, "dp": 2, "gpus": 64}),
        ("X4", "bad", {"tp": 8, "pp": 4, "dp": 2, "gpus": 64, "idle": 0}),
        ("X5", "good", {"pp": 16, "dp": 128, "gpus": 2048, "ep": 64, "edp": 2}),
        ("X6", "warn", {"tp": 8, "pp": 4, "dp": 2, "gpus": 64}),
    ],
)
def test_each_preset_gives_its_degrees_and_its_verdict(preset: str, kind: str, wanted: dict[str, int]) -> None:
    answer = ask(preset)
    assert answer.verdict.kind == kind
    assert wanted.items() <= values(answer).items()


def test_a_complete_mesh_says_its_product_in_both_languages() -> None:
    assert ask("X1").verdict.text == "The mesh is complete: TP 8 × PP 4 × DP 2 = 64, all of 8 nodes × 8 GPUs"
    assert ask("X1", "zh").verdict.text == "网格完整：TP 8 × PP 4 × DP 2 = 64，8 节点 × 8 卡正好用满"


def test_an_moe_mesh_says_how_experts_cut_the_same_ranks() -> None:
    assert ask("X2").verdict.text.endswith("; expert layers cut the same ranks into EP 16 × expert-DP 1")


def test_the_deliberate_conflict_is_refused_because_sp_shares_tps_group() -> None:
    text = ask("X4").verdict.text
    assert text.startswith("Refused: the names multiply to 512, but there are 64 GPUs. SP shares TP's group")
    assert text.endswith("The axes that are independent are TP 8 × PP 4 × DP 2 = 64.")
    assert "SP 与 TP 共组" in ask("X4", "zh").verdict.text


def test_the_conflict_draws_the_legal_mesh_and_shows_the_product_that_fails() -> None:
    conflict, legal = ask("X4"), ask("X1")
    assert conflict.figure == legal.figure
    assert str(conflict.formulas[0]) == "<code>TP·SP·PP·DP = 8 × 8 × 4 × 2 = 512 ≠ 64</code>"


def test_multiplying_ep_in_is_refused_because_it_only_regroups() -> None:
    answer = ask("X4", sp="1", ep="2")
    assert answer.verdict.kind == "bad"
    assert "multiply to 128" in answer.verdict.text
    assert "EP only regroups the ranks of DP·CP·TP" in answer.verdict.text


def test_a_conflict_without_a_name_that_is_no_axis_is_none() -> None:
    assert ask("X4", sp="1").verdict == ask("X1").verdict


# ---- verdicts on degrees


def test_gpus_left_over_are_counted_drawn_grey_and_given_a_dp() -> None:
    answer = ask("X1", dp="1")
    assert answer.verdict.text == (
        "The mesh is incomplete: TP 8 × PP 4 = 32, which leaves 32 of 64 GPUs idle. DP 2 would use them all."
    )
    assert Counter(classed == "idle" for classed, *_ in cells(answer)) == {True: 32, False: 32}
    assert values(answer)["idle"] == 32


def test_a_mesh_that_no_dp_completes_says_which_degree_is_in_the_way() -> None:
    text = ask("X1", tp="6", pp="4", dp="2").verdict.text
    assert "No DP completes it: “Tensor parallel TP” cannot be 6" in text
    assert text.endswith("Nearest legal value: 4 / 8.")


@pytest.mark.parametrize(
    ("changed", "field", "says"),
    [
        ({"dp": "3"}, "dp", "TP·CP·PP·DP = 96, but there are 64 GPUs. Nearest legal value: 2."),
        (
            {"tp": "16", "pp": "8"},
            "pp",
            "of 64 GPUs the axes before it leave 4, which it must divide. Nearest legal value: 4.",
        ),
        ({"sp": "4"}, "sp", "SP shares TP's group: it is 1 (off) or TP = 8 (on). Nearest legal value: 1 / 8."),
        ({"rank": "64"}, "rank", "ranks are counted from 0 to 63. Nearest legal value: 63."),
        ({"domain": "12"}, "domain", "an NVLink domain is made of whole nodes"),
        ({"semantics": "moe", "ep": "32"}, "ep", "EP·ETP must divide DP·CP·TP = 16"),
        ({"semantics": "moe", "ep": "4", "order": "llama3"}, "order", "this order has no place for EP"),
    ],
)
def test_what_is_impossible_is_refused_with_rule_and_nearest(changed: dict[str, str], field: str, says: str) -> None:
    with pytest.raises(BadValue) as refused:
        ask("X1", **changed)
    assert refused.value.field == field
    assert says in refused.value.message("en", "mesh")
    assert refused.value.message("zh", "mesh") != refused.value.message("en", "mesh")


def test_p10_tp_24_warns_of_three_nodes_and_an_nvl72_domain_takes_the_warning_away() -> None:
    wide = {"nodes": "9", "tp": "24", "pp": "3", "dp": "1"}
    assert ask("X1", **wide).verdict.kind == "warn"
    assert "spans 3 nodes: 24 GPUs that talk in every layer" in ask("X1", **wide).verdict.text
    assert ask("X1", **wide, domain="72").verdict.kind == "good"


def test_tp_that_leaves_nvlink_inside_one_node_is_said_without_a_count_of_nodes() -> None:
    assert "stays in one node but leaves its NVLink domain" in ask("X1", domain="4").verdict.text


def test_degrees_that_the_semantics_does_not_read_are_named() -> None:
    assert ask("X1", ep="16", cp="2").warnings == (
        "This semantics has no CP axis: CP = 2 is left out.",
        "This semantics has no EP axis: EP = 16 is left out.",
    )
    assert ask("X1", colour="ep").warnings == (
        "Experts are not cut separately, so there is no EP to colour by: PP is shown.",
    )


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS)
def test_no_sentence_keeps_a_placeholder(preset: str, language: str) -> None:
    answer = ask(preset, language)
    spoken = [answer.verdict.text, answer.saved, answer.moved, *answer.notes, *answer.warnings, answer.figure]
    assert [text for text in spoken if "{" in text] == []


def test_every_control_is_read() -> None:
    names = {control.name for control in controls.every(LAB.groups)}
    assert names == {
        *("nodes", "per_node", "domain", "semantics", "order", "rank", "colour"),
        *("tp", "sp", "pp", "dp", "cp", "ep", "etp"),
    }
