"""Random walks of a native model through put, add_weight and erase, beside plain numpy."""

from __future__ import annotations

import numpy as np


class Walk:
    """A model of the kernel whose supports are items of X, and what it ought to hold.

    ``forms`` are the same items X in one or several native forms: every step takes any of them.
    """

    def __init__(self, kernel, X, forms=None, columns=3, seed=0):
        self.gram = kernel(X)
        self.diag = kernel.diag(X)
        self.forms = forms or [kernel._items(kernel._prepare(X))]
        self.prototype = kernel._model()
        self.model = self.prototype.empty(columns)
        self.columns = columns
        self.rng = np.random.default_rng(seed)
        self.item = []  # of every slot; -1 for a free one
        self.weights = np.zeros((0, columns))

    def __len__(self):
        return len(self.diag)

    @property
    def taken(self):
        return [slot for slot, item in enumerate(self.item) if item >= 0]

    def step(self, erase=0.25):
        """One random change."""
        chance = self.rng.random()
        if self.taken and chance < erase:
            self.erase(int(self.rng.choice(self.taken)))
        elif self.taken and chance < 0.5:
            self.add_weight(int(self.rng.choice(self.taken)))
        else:
            free = [slot for slot, item in enumerate(self.item) if item < 0]
            slot = int(self.rng.choice(free)) if free and self.rng.random() < 0.7 else len(self.item)
            self.put(slot, int(self.rng.integers(len(self))))
            self.add_weight(slot)

    def put(self, slot, item):
        self.model.put(slot, self.form(), item)
        if slot == len(self.item):
            self.item.append(-1)
            self.weights = np.vstack([self.weights, np.zeros((1, self.columns))])
        self.item[slot] = item

    def add_weight(self, slot):
        column, delta = int(self.rng.integers(self.columns)), float(self.rng.normal())
        self.model.add_weight(slot, column, delta)
        self.weights[slot, column] += delta

    def erase(self, slot):
        self.model.erase(slot)
        self.item[slot] = -1
        self.weights[slot] = 0

    def form(self):
        return self.forms[int(self.rng.integers(len(self.forms)))]

    def scores(self, form=None):
        return self.model.scores(form or self.forms[0]).reshape(len(self), self.columns)

    def check(self, rtol=1e-11):
        """Everything that the model says."""
        taken, n = self.taken, len(self.item)
        items = [self.item[slot] for slot in taken]
        assert self.model.slots == n
        for form in self.forms:
            rows = self.model.rows(form)
            assert_same(self.model.row_batch(form, 1), rows, n, taken)
            assert_same(self.model.row_batch(form, 3), rows, n, taken)
            expected = self.gram[:, items]
            np.testing.assert_allclose(
                rows.reshape(len(self), n)[:, taken], expected, rtol=rtol, atol=rtol * scale(expected)
            )
            weights = self.weights[taken]
            bound = (
                rtol * np.abs(expected) @ np.abs(weights) + 1e-15
            )  # sums of what has left may leave a trace
            scores = self.scores(form)
            assert (np.abs(scores - expected @ weights) <= bound + rtol * scale(expected)).all()
            batch = self.model.score_batch(form, 1).reshape(scores.shape)
            assert (np.abs(batch - scores) <= bound).all()
            np.testing.assert_array_equal(self.model.score_batch(form, 3), batch.ravel())
            np.testing.assert_allclose(self.model.self_kernels(form), self.diag, rtol=rtol)
            np.testing.assert_array_equal(
                self.model.self_kernel_batch(form, 2), self.model.self_kernels(form)
            )
        for slot, item in list(zip(taken, items, strict=True))[::5]:
            among = self.gram[item, items]
            row = self.model.support_row(slot)[taken]
            np.testing.assert_allclose(row, among, rtol=rtol, atol=rtol * scale(among))
            np.testing.assert_allclose(
                self.model.support_scores(slot),
                among @ self.weights[taken],
                rtol=rtol,
                atol=rtol * (scale(among) + np.abs(among).sum() * scale(self.weights)),
            )
            np.testing.assert_allclose(self.model.support_self_kernel(slot), self.diag[item], rtol=rtol)

    def copy(self):
        """The same walk with a model that was saved and loaded; its own random numbers go on alike."""
        other = object.__new__(Walk)
        other.__dict__.update(self.__dict__)
        other.model = self.prototype.load(self.columns, self.model.save())
        other.rng = np.random.default_rng()
        other.rng.bit_generator.state = self.rng.bit_generator.state
        other.item, other.weights = list(self.item), self.weights.copy()
        return other


def scale(values):
    return float(np.abs(values).max(initial=0.0))


def assert_same(left, right, n, taken):
    """Rows that agree to the last bit, but for the free slots."""
    assert len(left) == len(right)
    if taken:
        np.testing.assert_array_equal(left.reshape(-1, n)[:, taken], right.reshape(-1, n)[:, taken])


def assert_go_on_alike(walk, steps):
    """A restored copy does and says the same as the original, to the last bit."""
    copy = walk.copy()
    for _ in range(steps):
        for form in walk.forms:
            np.testing.assert_array_equal(walk.model.scores(form), copy.model.scores(form))
        walk.step()
        copy.step()
    assert walk.item == copy.item
    saved, again = walk.model.save(), copy.model.save()
    assert saved.keys() == again.keys()
    for name, array in saved.items():
        np.testing.assert_array_equal(array, again[name], err_msg=name)
