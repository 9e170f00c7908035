"""Models of kernels whose features are listed, against the kernels' matrices."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import Forest, Records, _core
from hedgerow.io import read_svmlight_tk
from hedgerow.kernels import Fragments, Mismatch, Spectrum, SubPath, SubTree
from hedgerow.kernels import strings as string_kernels
from tests.models.mirror import Mirror, assert_corruptions_are_refused_or_harmless, assert_same_bits
from tests.strategies import brackets, random_trees, trees

ALPHABET = "abcdé𝔘"
STRINGS = [
    Spectrum(1),
    Spectrum(3),
    Spectrum(11),
    Mismatch(3, 1, ALPHABET),
    Mismatch(2, 0, ALPHABET),
    Mismatch(9, 1, ALPHABET),
]
TREES = [SubTree(), SubTree(1.0), SubPath(), SubPath(1.0), Fragments(), Fragments(1, 2, 0, False)]
normalizations = pytest.mark.parametrize("normalized", [False, True], ids=["plain", "normalized"])


def words(rng, n):
    found = ["", "a", "é𝔘", "abcabcabcabcab"]
    # Repeated, so that long k-mers are shared too.
    found += ["".join(rng.choice(list(ALPHABET[:4]), size)) * 3 for size in rng.integers(0, 9, n)]
    return found + ["".join(rng.choice(list(ALPHABET), size)) for size in rng.integers(0, 20, n)]


def token_lists(rng, n):
    table = [f"{letter}_w" * 3 for letter in ALPHABET] + ["", "\ud800", "a\0b"]
    return [[table[ALPHABET.index(letter)] for letter in word] for word in words(rng, n)] + [table[-3:]] * 2


def bracketed(rng, n):
    found = [brackets(tree) for tree in random_trees(rng, n, labels="abcdé", max_nodes=14)]
    return ["(a)", "(a b)", "(b a)", *found]


def cases():
    for kernel in STRINGS:
        yield pytest.param((kernel, words, list), id=f"{kernel}-strings")
    for kernel in STRINGS[:3]:
        yield pytest.param((kernel, token_lists, list), id=f"{kernel}-tokens")
    yield pytest.param(
        (Mismatch(2, 1, [f"{c}_w" * 3 for c in ALPHABET] + ["", "\ud800", "a\0b"]), token_lists, list),
        id="Mismatch-tokens",
    )
    for kernel in TREES:
        # A new Forest a batch: every batch has a vocabulary of its own.
        yield pytest.param((kernel, bracketed, Forest), id=f"{kernel}-trees")


@pytest.fixture(params=cases())
def case(request):
    return request.param


def mirror_of(case, normalized, rng, steps=30):
    kernel, make, collect = case
    pool = make(rng, 12)
    mirror = Mirror(kernel, normalized, collect=collect)
    for _ in range(steps):
        mirror.step(rng, pool)
    return mirror, pool


@normalizations
def test_equals_the_matrices(case, normalized):
    rng = np.random.default_rng(1)
    mirror, pool = mirror_of(case, normalized, rng, steps=0)
    for _ in range(12):
        for _ in range(6):
            mirror.step(rng, pool)
        mirror.check(pool + case[1](rng, 3))


@normalizations
def test_garbage_is_dropped(case, normalized):
    rng = np.random.default_rng(2)
    kernel, make, collect = case
    mirror = Mirror(kernel, normalized, columns=2, collect=collect)
    kept = make(rng, 6)
    for item in kept:
        mirror.add_weight(mirror.put(item), 0, 1.0)
    slots = [mirror.put(item) for item in make(rng, 6)]
    for _ in range(150):  # many more features than the supports have at any time
        for slot in slots:
            if slot in mirror.used:
                mirror.erase(slot)
        for slot, item in zip(slots, make(rng, len(slots))[-len(slots) :], strict=True):
            mirror.put(item, slot)
            mirror.add_weight(slot, 1, float(rng.normal()))
    mirror.check(kept + make(rng, 4))
    if collect is Forest:
        assert mirror.saved()["garbage"] < 6000  # of the nodes of 1,500 trees
    for slot in mirror.used:
        mirror.erase(slot)
    assert (mirror.model.scores(mirror.native(kept)) == 0).all()


@normalizations
def test_goes_on_after_saving_bit_by_bit(case, normalized):
    rng = np.random.default_rng(3)
    mirror, pool = mirror_of(case, normalized, rng)
    copy = mirror.restored()
    for round_ in range(4):
        assert_same_bits(mirror, copy, pool)
        seed = int(rng.integers(2**31))
        for each in (mirror, copy):
            same = np.random.default_rng(seed)
            for _ in range(15):
                each.step(same, pool + case[1](np.random.default_rng(round_), 5))
    copy.check(pool)
    assert_same_bits(mirror, copy, pool)
    again = copy.restored().restored()
    assert_same_bits(mirror, again, pool)


def test_an_empty_model(case):
    kernel, make, collect = case
    mirror = Mirror(kernel, False, collect=collect)
    items = make(np.random.default_rng(0), 3)
    assert mirror.model.columns == 3
    assert (mirror.model.scores(mirror.native(items)) == 0).all()
    assert mirror.model.rows(mirror.native(items)).shape == (0,)
    assert mirror.model.score_batch(mirror.native([]), 2).shape == (0,)
    assert mirror.model.supports(np.array([], dtype=np.int32)) is not None
    mirror.restored().check(items)


def test_supports_round_trip(case):
    kernel, make, collect = case
    mirror = Mirror(kernel, True, collect=collect)
    items = make(np.random.default_rng(4), 5)
    for item in items:
        mirror.put(item)
    mirror.erase(1)
    chosen = np.array([len(items) - 1, 0, 2, 2], dtype=np.int32)
    expected = collect([items[slot] for slot in chosen])
    for model in (mirror.model, mirror.restored().model):
        assert kernel._from_items(model.supports(chosen)) == expected
        with pytest.raises(ValueError, match="slot 1 "):
            model.supports(np.array([1], dtype=np.int32))


def test_corrupted_states_are_refused_or_harmless(case):
    rng = np.random.default_rng(5)
    mirror, pool = mirror_of(case, True, rng, steps=12)
    mirror.put(pool[-1])
    mirror.put(pool[0])
    assert_corruptions_are_refused_or_harmless(mirror, pool, rng, lambda model, items: model.scores(items))
    with pytest.raises(ValueError, match="weights"):
        mirror.model.load(mirror.columns + 1, mirror.saved())


def test_slots_in_use_are_not_overwritten(case):
    mirror, pool = mirror_of(case, False, np.random.default_rng(6))
    with pytest.raises(ValueError, match=f"slot {mirror.used[0]} "):
        mirror.model.put(mirror.used[0], mirror.native(pool), 0)
    mirror.check(pool)


@given(st.lists(trees(), min_size=2, max_size=8), st.sampled_from(TREES), st.booleans())
@settings(deadline=None, max_examples=30)
def test_any_trees(items, kernel, normalized):
    texts = [brackets(tree) for tree in items]
    mirror = Mirror(kernel, normalized, columns=1, collect=Forest)
    for text in texts[1:]:
        mirror.add_weight(mirror.put(text), 0, 1.5)
    mirror.check(texts)
    mirror.erase(0)
    mirror.check(texts)


@given(st.lists(st.text(max_size=6), min_size=2, max_size=8), st.integers(1, 4), st.booleans())
@settings(deadline=None, max_examples=30)
def test_any_strings(items, k, normalized):
    mirror = Mirror(Spectrum(k), normalized, columns=1)
    for text in items[1:]:
        mirror.add_weight(mirror.put(text), 0, 1.5)
    mirror.check(items)
    assert Spectrum()._from_items(mirror.model.supports(np.arange(1, dtype=np.int32))) == items[1:2]


def test_batches_that_share_a_vocabulary_and_others():
    # Slices of one forest, a forest of the same labels numbered otherwise, and labels nobody has met.
    rng = np.random.default_rng(7)
    texts = bracketed(rng, 20)
    large = Forest(texts)
    kernel = SubTree()
    model = kernel._model().empty(1)
    for i in range(0, 20, 2):
        model.put(model.slots, kernel._items(kernel._prepare(large[i : i + 1])), 0)
    strange = Forest(["(zz (a b) (zz yy))", *texts[::-1]])
    expected = kernel(strange, large[:20:2])
    rows = model.rows(kernel._items(kernel._prepare(strange))).reshape(expected.shape)
    np.testing.assert_allclose(rows, expected, rtol=1e-12)
    rows = model.rows(kernel._items(kernel._prepare(large))).reshape(len(large), -1)
    np.testing.assert_allclose(rows, kernel(large, large[:20:2]), rtol=1e-12)


def test_unknown_labels_differ_from_each_other():
    for kernel in (SubTree(1.0), SubPath(1.0)):
        model = kernel._model(normalized=True).empty(1)
        known = Forest(["(a (b c))"])
        model.put(0, kernel._items(kernel._prepare(known)), 0)
        plain = kernel._model().empty(1)
        for text in ("(a (b c) (x y) (z w))", "(a (b c) (x y) (x y))", "(x (x x))", "(x (y x))"):
            item = kernel._items(kernel._prepare(Forest([text])))
            assert plain.self_kernels(item) == kernel.diag([text])


def test_strings_and_token_lists_do_not_mix():
    kernel = Spectrum(1)

    def items(X):
        return kernel._items(kernel._prepare(X))

    model = kernel._model().empty(1)
    model.scores(items([["a"]]))  # nothing is known yet
    model.put(0, items(["ab"]), 0)
    with pytest.raises(ValueError, match="made of strings, got token lists"):
        model.scores(items([["a"]]))
    with pytest.raises(ValueError, match="made of strings, got token lists"):
        model.load(1, model.save()).score_batch(items([["a"]]), 1)
    assert model.scores(items([])).shape == (0,)
    model = kernel._model().empty(1)
    model.put(0, items([["ab"]]), 0)
    with pytest.raises(ValueError, match="made of token lists, got strings"):
        model.put(1, items(["ab"]), 0)
    with pytest.raises(ValueError, match="takes strings or token lists, got trees"):
        model.scores(SubTree()._items(SubTree()._prepare(["(a b)"])))
    with pytest.raises(ValueError, match="takes trees, got strings"):
        SubPath()._model().empty(1).scores(items(["ab"]))


def test_streams_do_not_make_the_model_grow():
    rng = np.random.default_rng(8)
    for case in [(Spectrum(3), words, list), (SubPath(), bracketed, Forest), (SubTree(), bracketed, Forest)]:
        mirror, _ = mirror_of(case, True, rng, steps=10)
        before = {name: array.size for name, array in mirror.saved().items()}
        for _ in range(20):
            mirror.model.scores(mirror.native(case[1](rng, 10)))
            mirror.model.self_kernels(mirror.native(case[1](rng, 10)))
        assert {name: array.size for name, array in mirror.saved().items()} == before


def test_mismatch_needs_an_alphabet():
    for kernel in (Mismatch(), Mismatch(3, 0)):
        for normalized in (False, True):
            with pytest.raises(ValueError, match=r'Mismatch\(alphabet="acgt"\)'):
                kernel._model(normalized)
    with pytest.raises(ValueError, match="'x' is not in the alphabet"):
        Mismatch(alphabet="acgt")._prepare(["acx"])


def test_bad_parameters():
    for kernel, name in [
        (Spectrum(0), "k must"),
        (Mismatch(2, 2, "ab"), "mismatches"),
        (SubTree(0.0), "decay"),
        (SubPath(2.0), "decay"),
    ]:
        for normalized in (False, True):
            with pytest.raises(ValueError, match=name):
                kernel._model(normalized)
    with pytest.raises(ValueError, match=r"k=1000 with mismatches=500.*smaller k"):
        Mismatch(1000, 500, "ab")._model()


def test_huge_k():
    for kernel in (Spectrum(2**62), Spectrum(2**31), Mismatch(2**62, 2**61, "ab")):
        mirror = Mirror(kernel, True)
        mirror.put("abab")
        mirror.check(["abab", "ba"])


def test_too_many_patterns_are_refused(monkeypatch):
    monkeypatch.setattr(string_kernels, "_MAX_ENTRIES", 100)
    kernel = Mismatch(5, 2, "abc")
    mirror = Mirror(kernel, True)
    with pytest.raises(ValueError, match="limit of 100 entries"):
        mirror.put("abcabcaacb")
    assert mirror.model.slots == 0


def test_overflow():
    # Mismatch over an alphabet so large that a k-mer shares 10^308 neighbours with itself.
    model = _core.kmer_model(2, np.full(3, 1e308), 1000, False).empty(1)
    items = Spectrum()._items(Spectrum()._prepare(["aaaa"]))
    for fails in (lambda: model.put(0, items, 0), lambda: model.self_kernels(items)):
        with pytest.raises(OverflowError, match=r"Normalized\(kernel\)"):
            fails()
    assert model.slots == 0
    model = SubTree()._model().empty(1)
    trees_ = SubTree()._items(SubTree()._prepare(["(a b)"]))
    model.put(0, trees_, 0)
    model.add_weight(0, 0, 1e308)
    model.add_weight(0, 0, 1e308)
    with pytest.raises(OverflowError):
        model.scores(trees_)


def test_deep_and_wide_trees():
    deep = "(a " * 1000 + "b" + ")" * 1000
    wide = "(a" + " (b c)" * 3000 + ")"
    for kernel in (SubTree(0.9), SubPath(0.5)):
        mirror = Mirror(kernel, True, collect=Forest)
        for item in (deep, wide):
            mirror.add_weight(mirror.put(item), 0, 1.0)
        mirror.check([deep, wide, "(a b)"])
    chain = "(a " * 9000 + "b" + ")" * 9000
    with pytest.raises(ValueError, match="too deep for a model of paths"):
        mirror.put(chain)


def test_columns_of_records():
    kernel = Spectrum(2)
    records = Records(text=["abc", "bcd"], numbers=np.eye(2))
    items = kernel._items(kernel._prepare(records))
    model = kernel._model().empty(1)
    model.put(0, items, 1)
    assert model.rows(items).tolist() == [1, 2]


@pytest.mark.shared_data
@normalizations
def test_questions(data_folder, normalized):
    """Parsed questions in batches, and their words, as a stream that learns and forgets."""
    parses, _ = read_svmlight_tk(data_folder / "qc" / "train.ct.tk.gz")
    texts = parses[:120].to_brackets()
    questions = [tree.leaves() for tree in parses[:120]]
    for kernel, items, collect in [
        (SubTree(), texts, Forest),
        (SubPath(), texts, Forest),
        (Spectrum(2), questions, list),
        (Spectrum(4), [" ".join(words) for words in questions], list),
    ]:
        mirror = Mirror(kernel, normalized, columns=2, collect=collect)
        for i, item in enumerate(items[:80]):
            slot = mirror.put(item, slot=i % 30 if i >= 30 else None)
            mirror.add_weight(slot, i % 2, 1.0 + i)
            if i >= 29:
                mirror.erase((i + 1) % 30)
        mirror.check(items[70:])
