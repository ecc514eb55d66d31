import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minos.attempts.sampling import sample
from minos.attempts.selection import Selection

IDS = ["msg-1", "msg-2", "msg-10", "other/1", "a[1]", "MSG-3"]


def choose(ids=IDS, strata=None, **options):
    strata = strata or [None] * len(ids)
    chosen = Selection(**options).choose(len(ids), ids.__getitem__, strata.__getitem__)
    return [ids[index] for index in chosen]


def test_without_anything_it_is_everything():
    assert choose() == IDS
    assert Selection().is_everything
    assert not Selection(limit=1).is_everything
    assert not Selection(sample=1).is_everything
    assert not Selection(ids=("a",)).is_everything


def test_limit_takes_the_first():
    assert choose(limit=2) == ["msg-1", "msg-2"]
    assert choose(limit=99) == IDS


@pytest.mark.parametrize(
    ("patterns", "ids"),
    [
        (["msg-*"], ["msg-1", "msg-2", "msg-10"]),
        (["msg-?"], ["msg-1", "msg-2"]),
        (["msg-[12]"], ["msg-1", "msg-2"]),
        (["other*", "msg-1"], ["msg-1", "other/1"]),
        (["a[1]"], ["a[1]"]),
        (["*"], IDS),
    ],
)
def test_ids_are_patterns(patterns, ids):
    assert choose(ids=IDS) == IDS
    chosen = Selection(ids=tuple(patterns)).choose(len(IDS), IDS.__getitem__, lambda _: None)
    assert [IDS[index] for index in chosen] == ids


def test_a_pattern_that_matches_nothing_is_told():
    with pytest.raises(ValueError, match="no id matches 'nsg-\\*'"):
        Selection(ids=("msg-*", "nsg-*")).choose(len(IDS), IDS.__getitem__, lambda _: None)


def test_ids_then_sample_then_limit():
    selection = Selection(ids=("msg-*",), sample=2, limit=1)
    (index,) = selection.choose(len(IDS), IDS.__getitem__, lambda _: None)
    drawn = Selection(ids=("msg-*",), sample=2).choose(len(IDS), IDS.__getitem__, lambda _: None)
    assert index == drawn[0]
    assert len(drawn) == 2


def test_a_sample_has_the_lowest_hashes_of_seed_and_key():
    ids = [f"item-{n}" for n in range(40)]
    lowest = sorted(ids, key=lambda name: hashlib.sha256(f"7\0{name}".encode()).digest())[:5]
    assert choose(ids, sample=5, seed=7) == sorted(lowest, key=ids.index)


def test_a_sample_is_spread_in_proportion():
    ids = [f"item-{n}" for n in range(100)]
    strata = ["a"] * 60 + ["b"] * 30 + ["c"] * 10
    chosen = choose(ids, strata, sample=10)
    assert Counter(strata[ids.index(name)] for name in chosen) == {"a": 6, "b": 3, "c": 1}


def test_no_stratum_is_left_out_when_there_is_room():
    ids = [f"item-{n}" for n in range(102)]
    strata = ["a"] * 100 + ["b", "c"]
    chosen = choose(ids, strata, sample=3)
    assert sorted(strata[ids.index(name)] for name in chosen) == ["a", "b", "c"]


@st.composite
def populations(draw):
    strata = draw(st.lists(st.sampled_from(["a", "b", "c", "", None]), min_size=1, max_size=60))
    return strata, draw(st.integers(1, 70)), draw(st.integers(0, 3))


@given(populations(), st.randoms(use_true_random=False))
def test_a_sample_keeps_its_promises(population, random):
    strata, size, seed = population
    keys = [f"k{n}" for n in range(len(strata))]
    drawn = list(sample(range(len(keys)), size, seed, strata.__getitem__, keys.__getitem__))
    assert drawn == sorted(set(drawn))
    assert len(drawn) == min(size, len(keys))
    counts = Counter(strata[index] for index in drawn)
    sizes = Counter(strata)
    if size >= len(sizes):
        assert set(counts) == set(sizes)
    for name, count in counts.items():
        share = min(size, len(keys)) * sizes[name] / len(keys)
        assert count <= max(1, share + 1)
    order = list(range(len(keys)))
    random.shuffle(order)
    shuffled = sample(
        range(len(keys)),
        size,
        seed,
        lambda index: strata[order[index]],
        lambda index: keys[order[index]],
    )
    assert {keys[order[index]] for index in shuffled} == {keys[index] for index in drawn}


@pytest.mark.parametrize("options", [{"limit": 0}, {"sample": -1}])
def test_a_selection_of_nothing_is_refused(options):
    with pytest.raises(ValueError, match="at least 1"):
        Selection(**options)


def test_the_offset_comes_before_the_limit():
    assert choose(offset=1, limit=2) == ["msg-2", "msg-10"]
    assert choose(offset=99) == []
    assert not Selection(offset=1).is_everything
    with pytest.raises(ValueError, match="the offset cannot be negative"):
        Selection(offset=-1)


def test_a_choice_can_be_among_some():
    among = [1, 3, 5]
    chosen = Selection(limit=2).choose(6, IDS.__getitem__, lambda _: None, among=among)
    assert list(chosen) == [1, 3]
