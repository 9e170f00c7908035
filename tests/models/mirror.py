"""A native model beside a slow one: items in a list, a matrix of weights, Gram matrices of the kernel."""

import numpy as np

from hedgerow.kernels import Normalized


class Mirror:
    """Does everything twice. `collect` makes what the kernel takes of a list of items."""

    def __init__(self, kernel, normalized, columns=3, collect=list):
        self.kernel = kernel
        self.shown = Normalized(kernel) if normalized else kernel
        self.collect = collect
        self.columns = columns
        self.model = kernel._model(normalized).empty(columns)
        self.items = []  # by slot; None when free
        self.weights = np.zeros((0, columns))

    def native(self, items):
        return self.kernel._items(self.kernel._prepare(self.collect(items)))

    @property
    def used(self):
        return [slot for slot, item in enumerate(self.items) if item is not None]

    def put(self, item, slot=None):
        """Beside another item, so that its place in a batch is not always the first."""
        if slot is None:
            slot = len(self.items)
            self.items.append(None)
            self.weights = np.vstack([self.weights, np.zeros(self.columns)])
        self.model.put(slot, self.native([item, item]), 1)
        self.items[slot] = item
        return slot

    def add_weight(self, slot, column, delta):
        self.model.add_weight(slot, column, delta)
        self.weights[slot, column] += delta

    def erase(self, slot):
        self.model.erase(slot)
        self.items[slot] = None
        self.weights[slot] = 0

    def step(self, rng, pool):
        """Something at random; more supports come than go."""
        action = rng.random()
        free = [slot for slot in range(len(self.items)) if self.items[slot] is None]
        if action < 0.4 or not self.used:
            item = pool[rng.integers(len(pool))]
            slot = self.put(item, int(rng.choice(free)) if free and rng.random() < 0.8 else None)
            self.add_weight(slot, int(rng.integers(self.columns)), float(rng.normal()))
        elif action < 0.7:
            slot = int(rng.choice(self.used))
            self.add_weight(slot, int(rng.integers(self.columns)), float(rng.normal()))
        else:
            self.erase(int(rng.choice(self.used)))

    def check(self, queries, rtol=1e-10):
        """All that can be asked, on one thread and on two."""
        batch, n = self.native(queries), len(queries)
        used = np.array(self.used, dtype=np.int32)
        supports = [self.items[slot] for slot in used]
        K = self.shown(self.collect(queries), self.collect(supports))
        diagonal = self.shown.diag(self.collect(queries))
        close = {"rtol": rtol, "atol": rtol * max(1.0, np.abs(K).max(initial=0))}
        rows = self.model.rows(batch).reshape(n, -1)
        np.testing.assert_allclose(rows[:, used], K, **close)
        np.testing.assert_allclose(self.model.self_kernels(batch), diagonal, rtol=rtol)
        scores = self.model.scores(batch).reshape(n, -1)
        np.testing.assert_allclose(
            scores, K @ self.weights[used], rtol=rtol, atol=close["atol"] * (1 + np.abs(self.weights).sum())
        )
        for threads in (1, 2):
            # Free slots have no meaning in rows.
            assert np.array_equal(self.model.row_batch(batch, threads).reshape(n, -1)[:, used], rows[:, used])
            assert np.array_equal(self.model.score_batch(batch, threads).reshape(n, -1), scores)
            assert np.array_equal(
                self.model.self_kernel_batch(batch, threads), self.model.self_kernels(batch)
            )
        own = self.shown(self.collect(supports))
        for place, slot in enumerate(used):
            np.testing.assert_allclose(self.model.support_row(slot)[used], own[place], **close)
            np.testing.assert_allclose(self.model.support_self_kernel(slot), own[place, place], rtol=rtol)
            np.testing.assert_allclose(
                self.model.support_scores(slot),
                own[place] @ self.weights[used],
                rtol=rtol,
                atol=close["atol"] * (1 + np.abs(self.weights).sum()),
            )

    def saved(self):
        return self.model.save()

    def restored(self):
        """A mirror with a model made of what this one saves."""
        copy = object.__new__(Mirror)
        copy.__dict__.update(self.__dict__)
        copy.model = self.model.load(self.columns, self.saved())
        copy.items = list(self.items)
        copy.weights = self.weights.copy()
        return copy


def assert_same_bits(one, other, queries):
    """Two mirrors whose models give the same numbers."""
    batch = one.native(queries)
    used = one.used
    assert used == other.used
    n = len(queries)
    assert np.array_equal(one.model.scores(batch), other.model.scores(batch))
    assert np.array_equal(one.model.self_kernels(batch), other.model.self_kernels(batch))
    ours, theirs = one.model.rows(batch).reshape(n, -1), other.model.rows(batch).reshape(n, -1)
    assert np.array_equal(ours[:, used], theirs[:, used])
    for slot in used:
        assert np.array_equal(one.model.support_scores(slot), other.model.support_scores(slot))


def corruptions(state, rng):
    """Copies of a state with one array gone, of another type, shorter, longer, or with other numbers."""
    for name, array in state.items():
        yield {key: value for key, value in state.items() if key != name}
        changed = [
            array.astype(np.float32),
            array[:-1],
            np.append(array, array[-1:]),
            np.append(array, 0).astype(array.dtype),
        ]
        if len(array):
            for number in (-1, -2, 2**31 - 1, len(array), 0, 255):
                one = array.copy()
                one[rng.integers(len(one))] = np.array(number).astype(array.dtype)
                changed.append(one)
        if array.dtype == np.float64 and len(array):
            changed += [np.full_like(array, np.nan), np.full_like(array, np.inf)]
        for other in changed:
            yield {**state, name: other.copy()}


def assert_corruptions_are_refused_or_harmless(mirror, pool, rng, use):
    """What a broken state loads to, if anything, is another model, but one that works."""
    state = mirror.saved()
    refused = 0
    for broken in corruptions(state, rng):
        try:
            model = mirror.model.load(mirror.columns, broken)
        except ValueError:
            refused += 1
            continue
        use(model, mirror.native(pool))
        for slot in range(model.slots):
            model.support_row(slot)
            model.erase(slot)
        model.put(model.slots, mirror.native(pool), 0)
    assert refused > 3 * len(state)
