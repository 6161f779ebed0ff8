"""Maps of a state: joined in any grouping they give what going token by token gives (kimi-k3 §5.1.2)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.models import affine_scan

FLOATS = st.floats(0, 1)
TOKENS = st.tuples(st.tuples(FLOATS, FLOATS), FLOATS, st.tuples(FLOATS, FLOATS), st.tuples(FLOATS, FLOATS, FLOATS))


def one_by_one(tokens):
    """The recurrence of equation 1 on arrays."""
    S = np.zeros((2, 3))
    for alpha, beta, k, v in tokens:
        k, v = np.array(k)[:, None], np.array(v)[None, :]
        S = (np.eye(2) - beta * k @ k.T) @ np.diag(alpha) @ S + beta * k @ v
    return S


@given(st.lists(TOKENS, min_size=4, max_size=12))
def test_the_scan_gives_each_rank_the_state_of_all_tokens_before_it(tokens):
    cuts = [0, 1, 2, 3, len(tokens)]
    ranks = [
        affine_scan.joined(affine_scan.token(*token) for token in tokens[a:b])
        for a, b in zip(cuts, cuts[1:], strict=False)
    ]
    for at, state in zip(cuts, affine_scan.incoming(ranks), strict=False):
        assert np.array(state) == pytest.approx(one_by_one(tokens[:at]), abs=1e-12)


@given(st.lists(TOKENS, min_size=3, max_size=3))
def test_maps_join_in_any_grouping(tokens):
    a, b, c = (affine_scan.token(*token) for token in tokens)
    left, right = a.then(b).then(c), a.then(b.then(c))
    assert np.array(left.M) == pytest.approx(np.array(right.M), abs=1e-12)
    assert np.array(left.made) == pytest.approx(np.array(right.made), abs=1e-12)


def test_adding_up_is_right_where_nothing_is_forgotten_or_overwritten():
    ranks = [affine_scan.Stretch(((1.0,),), ((made,),)) for made in (1.0, 2.0, 4.0)]
    assert affine_scan.summed(ranks) == affine_scan.incoming(ranks) == (((0.0,),), ((1.0,),), ((3.0,),))


def test_adding_up_is_wrong_under_the_delta_rule():
    rank = affine_scan.token((0.9,), 0.5, (1.0,), (1.0,))
    assert affine_scan.incoming([rank] * 3)[-1][0][0] == pytest.approx(0.5 * 0.45 + 0.5)
    assert affine_scan.summed([rank] * 3)[-1] == ((1.0,),)
