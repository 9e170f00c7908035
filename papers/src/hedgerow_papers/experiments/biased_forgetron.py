"""The Forgetron with the perceptron's bias: a guess at what the thesis ran.

The Forgetron of Dekel, Shalev-Shwartz and Singer has no bias, and neither has `hedgerow.online.Forgetron`. With that of
the perceptron, which moves by y R^2 at each mistake (R^2 is the largest K(x, x) so far), F1 and accuracy on the
synthetic set come within the published deviations, and so do accuracies on the questions but for the smallest budget.
On Adult it helps for one budget and hurts for the other. So the guess explains some of the figures, not all.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

ALLOWANCE = 15 / 32  # of damage for each mistake


class BiasedForgetron:
    """A rule for `hedgerow.online.OnlineLearner`: the self-tuned Forgetron, whose bias is not shrunk.

    On a mistake: f += y K(x, .), b += y R^2. Over budget, with sigma = abs(beta) and mu = y f(x) of the oldest support:
    phi is the largest factor up to 1 with Psi(phi sigma, phi mu) + Q <= 15/32 M, where
    Psi(s, m) = s^2 + 2 s - 2 s m; then f *= phi, the oldest leaves, and Q grows by Psi.
    """

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.mistakes = 0
        self.damage = 0.0  # Q
        self.squared_radius = 0.0

    def learn(self, f: Any, y: float, weight: float) -> None:
        self.squared_radius = max(self.squared_radius, f.self_kernel)
        if y * f.score > 0:
            return
        self.mistakes += 1
        f.add(y)
        f.add_bias(y * self.squared_radius)
        supports = f.supports
        if len(supports) <= self.budget:
            return
        oldest = int(supports[0])
        beta, value = float(f.coefficients[0]), f.value_at(oldest)
        sigma, margin = abs(beta), value if beta > 0 else -value
        factor = self._gentlest_factor(sigma, margin)
        self.damage += (factor * sigma) ** 2 + 2 * factor * sigma - 2 * factor**2 * sigma * margin
        f.scale(factor)
        f.remove(oldest)

    def _gentlest_factor(self, sigma: float, margin: float) -> float:
        a, b, c = sigma**2 - 2 * sigma * margin, 2 * sigma, self.damage - ALLOWANCE * self.mistakes
        if a + b + c <= 0:
            return 1.0
        return -c / b if a == 0 else (-b + sqrt(b * b - 4 * a * c)) / (2 * a)
