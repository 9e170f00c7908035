"""The model of gapped subsequences, against the kernel's matrices."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.kernels import Spectrum, Subsequence
from tests.models.mirror import Mirror, assert_corruptions_are_refused_or_harmless, assert_same_bits

KERNELS = [Subsequence(1, 0.3), Subsequence(2), Subsequence(3, 1.0), Subsequence(4, 0.01)]
ALPHABET = "abcdé𝔘"
normalizations = pytest.mark.parametrize("normalized", [False, True], ids=["plain", "normalized"])


def strings(rng, n):
    found = ["".join(rng.choice(list(ALPHABET), size)) for size in rng.integers(0, 25, n)]
    return ["", "a", "aa", "xyz", *found]


def token_lists(rng, n):
    return [[f"{letter}-" * 2 for letter in text] for text in strings(rng, n)] + [["", "\ud800", "a\0"]] * 2


@pytest.fixture(params=[strings, token_lists])
def make(request):
    return request.param


@pytest.fixture(params=KERNELS, ids=str)
def kernel(request):
    return request.param


def mirror_of(kernel, normalized, make, rng, steps=40):
    pool = make(rng, 15)
    mirror = Mirror(kernel, normalized)
    for _ in range(steps):
        mirror.step(rng, pool)
    return mirror, pool


@normalizations
def test_equals_the_matrices(kernel, normalized, make):
    rng = np.random.default_rng(1)
    mirror, pool = mirror_of(kernel, normalized, make, rng, steps=0)
    for _ in range(8):
        for _ in range(8):
            mirror.step(rng, pool)
        mirror.check(pool + make(rng, 3))


@normalizations
def test_goes_on_after_saving_bit_by_bit(kernel, normalized, make):
    rng = np.random.default_rng(2)
    mirror, pool = mirror_of(kernel, normalized, make, rng)
    copy = mirror.restored()
    for round_ in range(3):
        assert_same_bits(mirror, copy, pool)
        for each in (mirror, copy):
            same = np.random.default_rng(round_)
            for _ in range(15):
                each.step(same, pool + make(np.random.default_rng(round_), 5))
    assert_same_bits(mirror, copy.restored(), pool)
    copy.check(pool)


@normalizations
def test_garbage_is_dropped(normalized, make):
    rng = np.random.default_rng(3)
    mirror = Mirror(Subsequence(2), normalized)
    items = make(rng, 10)
    for item in items:
        mirror.add_weight(mirror.put(item), 1, 1.0)
    for _ in range(40):
        fresh = make(rng, 10)
        for slot in range(0, len(items), 2):
            mirror.erase(slot)
            mirror.put(fresh[slot], slot)
            mirror.add_weight(slot, 0, float(rng.normal()))
    mirror.check(items)
    assert mirror.saved()["symbols"].size == sum(map(len, mirror.items))


def test_supports_round_trip(kernel, make):
    rng = np.random.default_rng(4)
    mirror = Mirror(kernel, True)
    items = make(rng, 9)
    for item in items:
        mirror.put(item)
    mirror.erase(1)
    chosen = np.array([len(items) - 1, 0, 2, 2], dtype=np.int32)
    for model in (mirror.model, mirror.restored().model):
        assert kernel._from_items(model.supports(chosen)) == [items[slot] for slot in chosen]
        with pytest.raises(ValueError, match="slot 1 is free"):
            model.supports(np.array([1], dtype=np.int32))


def test_corrupted_states_are_refused_or_harmless(make):
    rng = np.random.default_rng(5)
    mirror, pool = mirror_of(Subsequence(2), True, make, rng, steps=12)
    mirror.put(pool[-1])
    assert_corruptions_are_refused_or_harmless(
        mirror, pool, rng, lambda model, items: model.row_batch(items, 1)
    )


@given(st.lists(st.text(max_size=8), min_size=2, max_size=10), st.integers(1, 4), st.booleans())
@settings(deadline=None, max_examples=30)
def test_any_strings(items, length, normalized):
    mirror = Mirror(Subsequence(length), normalized, columns=1)
    for text in items[1:]:
        mirror.add_weight(mirror.put(text), 0, 1.5)
    mirror.check(items)


def test_kinds_do_not_mix():
    kernel = Subsequence(2)
    mirror = Mirror(kernel, False)
    mirror.put("abc")
    with pytest.raises(ValueError, match="made of strings, got token lists"):
        mirror.model.scores(kernel._items(kernel._prepare([["a", "b"]])))
    with pytest.raises(ValueError, match="slot 0 is in use"):
        mirror.model.put(0, mirror.native(["b"]), 0)
    # Items of strings are the same for all kernels of strings.
    mirror.check(["abc", "bcd"])
    assert np.array_equal(
        mirror.model.rows(Spectrum()._items(Spectrum()._prepare(["abc"]))),
        mirror.model.rows(mirror.native(["abc"])),
    )


def test_small_decays_do_not_vanish_when_normalised():
    s = "ab" * 50
    mirror = Mirror(Subsequence(60, 0.001), True)
    mirror.put(s)
    mirror.check([s, s + "a", "b" * 80, "ab"])
    assert mirror.model.support_self_kernel(0) == 1


def test_overflow():
    mirror = Mirror(Subsequence(250, 1.0), False)
    with pytest.raises(OverflowError, match=r"Normalized\(kernel\)"):
        mirror.model.put(0, mirror.native(["a" * 700]), 0)
    assert mirror.model.slots == 0
    mirror.put("a" * 400)
    with pytest.raises(OverflowError):
        mirror.model.rows(mirror.native(["a" * 1000]))


def test_huge_length_and_bad_parameters():
    mirror = Mirror(Subsequence(2**62), True)
    mirror.put("abc")
    mirror.check(["abc", ""])
    for kernel, normalized in ((Subsequence(0), False), (Subsequence(2, 0.0), True)):
        with pytest.raises(ValueError, match=r"length|decay"):
            kernel._model(normalized)
