"""The online learners in slow, readable Python, on a full Gram matrix: the oracle of the native ones.

A learner here is a function of ``(K, y, ...)`` that goes through the examples in order and returns a `Run`. All
predictors are kept, so averages and votes are computed by their definitions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import log, sqrt
from typing import Any

import numpy as np

Vector = np.ndarray[Any, Any]


@dataclass
class Run:
    """What happened: coefficients (by example) and bias after each example, and the mistakes."""

    beta: Vector
    bias: float = 0.0
    mistakes: list[int] = field(default_factory=list)
    betas: list[Vector] = field(default_factory=list)
    biases: list[float] = field(default_factory=list)

    def values(self, K: Vector) -> Vector:
        return self.beta @ K + self.bias

    def averaged(self, K: Vector) -> Vector:
        return np.mean([beta @ K + b for beta, b in zip(self.betas, self.biases, strict=True)], axis=0)

    def normalized(self, K: Vector, gram: Vector) -> Vector:
        total = np.zeros(K.shape[1])
        for beta, b in zip(self.betas, self.biases, strict=True):
            norm = sqrt(max(beta @ gram @ beta, 0.0))
            if norm > 0:
                total += (beta @ K + b) / norm
        return total / len(self.betas)

    def votes(self, K: Vector) -> Vector:
        return np.mean(
            [np.sign(beta @ K + b) for beta, b in zip(self.betas, self.biases, strict=True)], axis=0
        )


Step = Callable[[Run, int, float], None]


def run(K: Vector, y: Vector, step: Step) -> Run:
    state = Run(np.zeros(len(y)))
    for t in range(len(y)):
        score = float(state.beta @ K[:, t]) + state.bias
        if y[t] * score <= 0:
            state.mistakes.append(t)
        step(state, t, score)
        state.betas.append(state.beta.copy())
        state.biases.append(state.bias)
    return state


def perceptron(K: Vector, y: Vector, bias: bool = False, weight: Vector | None = None) -> Run:
    def step(state: Run, t: int, score: float) -> None:
        if y[t] * score <= 0:
            w = 1.0 if weight is None else weight[t]
            state.beta[t] += w * y[t]
            if bias:
                state.bias += w * y[t] * K.diagonal()[: t + 1].max()

    return run(K, y, step)


def passive_aggressive(K: Vector, y: Vector, variant: str, C: float, dynamic: bool = False) -> Run:
    def step(state: Run, t: int, score: float) -> None:
        loss = 1 - y[t] * score
        if loss <= 0 or K[t, t] == 0:
            return
        earlier = sum(1 for m in state.mistakes if m < t)
        c = C / sqrt(1 + earlier) if dynamic else C
        tau = {
            "PA": loss / K[t, t],
            "PA-I": min(c, loss / K[t, t]),
            "PA-II": loss / (K[t, t] + 1 / (2 * c)),
        }[variant]
        state.beta[t] += tau * y[t]

    return run(K, y, step)


def romma(K: Vector, y: Vector, aggressive: bool) -> Run:
    def step(state: Run, t: int, score: float) -> None:
        if y[t] * score >= 1 if aggressive else y[t] * score > 0:
            return
        x2, w2 = K[t, t], float(state.beta @ K @ state.beta)
        if x2 == 0:
            return
        if w2 == 0:
            state.beta[t] += y[t] / x2
            return
        q = x2 * w2 - score**2
        if q > 1e-12 * x2 * w2:
            state.beta *= (x2 * w2 - y[t] * score) / q
            state.beta[t] += w2 * (y[t] - score) / q

    return run(K, y, step)


def stoptron(K: Vector, y: Vector, budget: int) -> Run:
    active: list[int] = []

    def step(state: Run, t: int, score: float) -> None:
        if y[t] * score <= 0 and len(active) < budget:
            active.append(t)
            state.beta[t] = y[t]

    return run(K, y, step)


def split_mix(seed: int) -> Callable[[int], int]:
    state = seed
    mask = 2**64 - 1

    def below(n: int) -> int:
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return (z ^ (z >> 31)) % n

    return below


def random_budget_perceptron(K: Vector, y: Vector, budget: int, seed: int) -> Run:
    active: list[int] = []
    below = split_mix(seed)

    def step(state: Run, t: int, score: float) -> None:
        if y[t] * score > 0:
            return
        if len(active) >= budget:
            state.beta[active.pop(below(len(active)))] = 0
        active.append(t)
        state.beta[t] = y[t]

    return run(K, y, step)


def forgetron(K: Vector, y: Vector, budget: int, variant: str) -> Run:
    active: list[int] = []
    Q = 0.0
    M = 0

    def psi(sigma: float, mu: float) -> float:
        return sigma**2 + 2 * sigma - 2 * sigma * mu

    def step(state: Run, t: int, score: float) -> None:
        nonlocal Q, M
        if y[t] * score > 0:
            return
        M += 1
        active.append(t)
        state.beta[t] = y[t]  # f'
        over = len(active) > budget
        r = active[0]
        margins = {i: y[i] * float(state.beta @ K[:, i]) for i in active}
        if variant == "basic":
            U = 0.25 * sqrt((budget + 1) / log(budget + 1))
            norm = sqrt(state.beta @ K @ state.beta)
            phi = min((budget + 1) ** (-1 / (2 * (budget + 1))), U / norm)
        elif not over:
            phi = 1.0
        else:
            if variant == "greedy":
                best = min(active, key=lambda i: psi(abs(state.beta[i]), margins[i]))
                if psi(abs(state.beta[best]), margins[best]) <= 15 / 32:
                    r = best
            sigma, mu = abs(state.beta[r]), margins[r]
            a, b, c = sigma**2 - 2 * sigma * mu, 2 * sigma, Q - 15 / 32 * M
            if a + b + c <= 0:
                phi = 1.0
            elif a == 0:
                phi = -c / b
            else:
                phi = (-b + sqrt(b * b - 4 * a * c)) / (2 * a)
            Q += psi(phi * sigma, phi * mu)
        state.beta *= phi
        if over:
            active.remove(r)
            state.beta[r] = 0

    return run(K, y, step)


def projectron(K: Vector, y: Vector, eta: float, budget: int | None = None, plus_plus: bool = False) -> Run:
    active: list[int] = []

    def step(state: Run, t: int, score: float) -> None:
        margin, loss = y[t] * score, 1 - y[t] * score
        if margin >= (1 if plus_plus else 1e-300):
            return
        k = K[active, t]
        d = np.linalg.solve(K[np.ix_(active, active)], k) if active else np.zeros(0)
        length = float(k @ d)
        delta = sqrt(max(0.0, K[t, t] - length))
        dependent = delta**2 <= 1e-10 * K[t, t]
        threshold = eta
        if budget is not None:
            U = 0.25 * sqrt((max(budget, 200) + 1) / log(max(budget, 200) + 1))
            threshold = (2 * loss - length - 0.5) / (2 * U)
        if margin <= 0:
            full = budget is not None and len(active) >= budget
            if (active and delta <= threshold) or full or dependent:
                state.beta[active] += y[t] * d
            else:
                active.append(t)
                state.beta[t] = y[t]
            return
        if dependent:
            delta = 0.0
        if length <= 0 or (delta > 0 and threshold <= 0):
            return
        gain = loss - delta / threshold if delta > 0 else loss
        if gain >= 0:
            state.beta[active] += y[t] * min(loss / length, 2 * gain / length, 1.0) * d

    return run(K, y, step)


def forgetful_projectron(K: Vector, y: Vector, budget: int) -> Run:
    active: list[int] = []

    def project(t: int) -> tuple[Vector, float]:
        k = K[active, t]
        d = np.linalg.solve(K[np.ix_(active, active)], k) if active else np.zeros(0)
        return d, max(0.0, K[t, t] - float(k @ d))

    def step(state: Run, t: int, score: float) -> None:
        if y[t] * score > 0:
            return
        d, squared = project(t)
        if squared <= 1e-10 * K[t, t]:
            state.beta[active] += y[t] * d
            return
        active.append(t)
        state.beta[t] = y[t]
        if len(active) > budget:
            r = active.pop(0)
            d, _ = project(r)
            state.beta[active] += state.beta[r] * d
            state.beta[r] = 0

    return run(K, y, step)


def ahpatron(K: Vector, y: Vector, budget: int, margin: float = 0.5, ridge: float = 5e-4) -> Run:
    active: list[int] = []
    U = sqrt(budget) / 2
    step_size = U / (2 * sqrt(budget))

    def norm(state: Run) -> float:
        return sqrt(max(0.0, state.beta @ K @ state.beta))

    def step(state: Run, t: int, score: float) -> None:
        if y[t] * score >= margin:
            return
        if len(active) >= budget:
            before = norm(state)
            by_size = sorted(
                active, key=lambda i: -abs(state.beta[i])
            )  # stable: the older of equal ones first
            stay = sorted(by_size[: len(active) // 2], key=active.index)
            go = [i for i in active if i not in stay]
            gram = K[np.ix_(stay, stay)] + ridge * np.eye(len(stay))
            state.beta[stay] += np.linalg.solve(gram, K[np.ix_(stay, go)] @ state.beta[go])
            state.beta[go] = 0
            active[:] = stay
            state.beta *= before / norm(state)
        active.append(t)
        state.beta[t] = y[t] * step_size
        if norm(state) > U:
            state.beta *= U / norm(state)

    return run(K, y, step)
