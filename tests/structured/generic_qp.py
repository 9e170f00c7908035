"""The structured support vector machine with every constraint there is, by a generic solver."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import piqp

from hedgerow.structured.discriminant import sparse_features
from hedgerow.structured.questions import _violation


@dataclass
class Optimum:
    objective: float
    weights: np.ndarray
    slacks: np.ndarray


def all_constraints(problem, X, Y, slack, rescaling):
    """For every wrong output: its example, a, h of w.a >= h - xi."""
    violation = _violation(slack, rescaling)
    examples, rows, offsets = [], [], []
    for i, (x, y_true) in enumerate(zip(X, Y, strict=True)):
        for y in problem.candidates(x):
            if problem.same(y, y_true):
                continue
            difference = {}
            for sign, output in ((1.0, y_true), (-1.0, y)):
                for index, value in zip(*sparse_features(problem.joint_features(x, output)), strict=True):
                    difference[index] = difference.get(index, 0.0) + sign * value
            # The violation is affine in the margin.
            offset = violation(problem.compute_loss(y_true, y), 0.0)
            factor = offset - violation(problem.compute_loss(y_true, y), 1.0)
            examples.append(i)
            rows.append({index: factor * value for index, value in difference.items()})
            offsets.append(offset)
    matrix = np.zeros((len(rows), 1 + max((index for row in rows for index in row), default=0)))
    for k, row in enumerate(rows):
        for index, value in row.items():
            matrix[k, index] = value
    return np.array(examples), matrix, np.array(offsets)


def generic_optimum(problem, X, Y, C, slack, rescaling, weights=1.0, own_slacks=False):
    """The optimum; with own_slacks there is a slack, and a weight, for each wrong output."""
    examples, matrix, offsets = all_constraints(problem, X, Y, slack, rescaling)
    if own_slacks:
        examples = np.arange(len(matrix))
    n, d = (0 if slack is None else len(matrix) if own_slacks else len(X)), matrix.shape[1]
    hessian = np.zeros(d + n)
    hessian[:d] = 1.0
    linear = np.zeros(d + n)
    if slack == "linear":
        linear[d:] = C * weights
    elif slack == "quadratic":
        hessian[d:] = 2 * C * weights
    left = np.zeros((len(matrix), d + n))
    left[:, :d] = matrix
    if n:
        left[np.arange(len(matrix)), d + examples] = 1.0
    bounds = np.full(d + n, -np.inf)
    bounds[d:] = 0.0
    solver = piqp.DenseSolver()
    solver.settings.eps_abs = solver.settings.eps_rel = 1e-11
    solver.setup(np.diag(hessian), linear, None, None, left, offsets, None, bounds, None)
    assert solver.solve() == piqp.PIQP_SOLVED
    solution = np.asarray(solver.result.x)
    return Optimum(
        float(hessian @ solution**2 / 2 + linear @ solution), solution[:d].copy(), solution[d:].copy()
    )
