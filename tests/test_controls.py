"""What a form may hold, what it may not, and what the reader is told."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from labs.controls import Choice, Group, Number, Slider, Toggle, parse, start
from labs.form import form_html
from labs.refusal import BadValue
from labs.units import plain
from labs.words import speaker

GROUPS = (
    Group(
        "first",
        (
            Slider("dp", 8, 1, 4096, integer=True, stops=(1, 2, 4, 8, 16)),
            Number("params", 7e9, 1e6, 1e14),
            Choice("zero", "0", ("0", "1", "2", "3")),
            Toggle("fp8"),
        ),
        open=True,
    ),
)


def refused(form: dict[str, str]) -> BadValue:
    with pytest.raises(BadValue) as caught:
        parse(GROUPS, form)
    return caught.value


def test_an_empty_form_means_every_start_value():
    values = parse(GROUPS, {})
    assert (values.dp, values.params, values.zero, values.fp8) == (8, 7e9, "0", False)


@pytest.mark.parametrize("text", ["7e9", "7B", "70亿", "7,000,000,000", " 7 B "])
def test_a_number_is_read_as_people_write_it(text):
    assert parse(GROUPS, {"params": text}).params == 7e9


@pytest.mark.parametrize("text", ["", "many", "NaN", "inf", "1e309", "-1e309", "7e9e9", "<b>"])
def test_text_that_is_no_finite_number_is_refused_by_name(text):
    error = refused({"params": text})
    assert (error.field, error.rule, error.nearest) == ("params", "not_a_number", "7e9")


def test_out_of_range_names_the_range_and_its_nearest_end():
    assert (
        str(refused({"dp": "5000"}))
        == "“dp” cannot be 5000: it must lie between 1 and 4096. Nearest legal value: 4096."
    )
    assert refused({"dp": "-3"}).message("zh") == "“dp”不能是 -3：须在 1 到 4096 之间。最接近的可行取值：1。"


def test_a_fraction_where_a_whole_number_is_wanted_is_refused():
    assert (refused({"dp": "2.5"}).rule, refused({"dp": "2.6"}).nearest) == ("not_whole", "3")


def test_an_unknown_option_lists_the_options_in_both_languages():
    error = refused({"zero": "4"})
    assert str(error) == "“zero” cannot be 4: it must be one of 0 / 1 / 2 / 3. Nearest legal value: 3."
    assert error.message("zh") == "“zero”不能是 4：须是其中之一：0 / 1 / 2 / 3。最接近的可行取值：3。"


def test_a_toggle_is_on_or_off():
    assert parse(GROUPS, {"fp8": "on"}).fp8 is True
    assert refused({"fp8": "maybe"}).rule == "one_of"


@pytest.mark.parametrize(
    ("text", "nearest"), [("5", "3"), ("-1", "0"), ("two", "0"), ("9" * 5000, "3"), ("-" + "9" * 5000, "0")]
)
def test_a_choice_among_numbers_names_the_closest(text, nearest):
    with pytest.raises(BadValue) as refused:
        Choice("zero", "1", ("0", "1", "2", "3")).parse(text)
    assert refused.value.nearest == nearest


def test_a_refused_option_is_called_by_its_label_and_by_what_is_typed():
    refused = BadValue("algorithm", "tree", "no_algorithm", ("ring", "direct"), collective="point_to_point")
    assert refused.message("zh", "dispatch") == (
        "“算法”不能是 二叉树（tree）：点对点（point_to_point）没有这种算法。"
        "最接近的可行取值：环（ring） / 直连（各发各的）（direct）。"
    )
    assert refused.message("en", "dispatch").endswith("legal value: ring / Direct, each to each (direct).")


@pytest.mark.parametrize(("language", "says"), [("zh", "不能是 空白："), ("en", "cannot be blank:")])
def test_an_empty_field_is_said_to_be_blank(language, says):
    assert says in refused({"dp": " "}).message(language)


def test_a_switch_for_the_shell_stays_where_it_was_on_a_page():
    groups = (Group("row", (Toggle("exact", shell=True),)),)
    assert [parse(groups, {"exact": "on"}, shell=shell).exact for shell in (False, True)] == [False, True]
    with pytest.raises(BadValue):
        parse(groups, {"exact": "yes"})


def test_a_misspelt_control_is_refused_with_the_nearest_name():
    error = refused({"zerp": "1"})
    assert (error.field, error.rule, error.nearest) == ("zerp", "unknown_control", "zero")


def test_a_label_of_the_lab_is_used_for_the_field_where_it_has_one():
    assert "“dp”" not in refused({"dp": "0"}).message("en", "memory")


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300))
@example(1e21)
def test_a_number_written_into_a_form_is_read_back_exactly(value):
    assert parse((Group("g", (Number("x", 0, -1e301, 1e301),)),), {"x": plain(value)}).x == value


@given(st.text(max_size=30))
def test_any_text_is_either_a_value_or_a_refusal_that_can_be_said(text):
    try:
        parse(GROUPS, {"dp": text})
    except BadValue as error:
        assert error.message("zh") and error.message("en")


def test_a_slider_whose_stops_do_not_rise_cannot_be_declared():
    with pytest.raises(ValueError, match="slider dp"):
        Slider("dp", 1, 1, 8, stops=(1, 4, 2))


def test_a_readers_text_is_escaped_in_the_form():
    html = form_html(GROUPS[:0], {}, speaker("memory", "en"), "memory")
    assert "<form" in html
    hostile = form_html(
        (Group("states", (Number("params", 7e9, 1, 1e14),)),),
        {"params": '"><script>'},
        speaker("memory", "en"),
        "memory",
    )
    assert "<script>" not in hostile and "&quot;&gt;&lt;script&gt;" in hostile


def test_start_values_are_texts_that_parse():
    assert parse(GROUPS, start(GROUPS)) == parse(GROUPS, {})
