"""Parameters without effect are errors."""

from __future__ import annotations

import pytest

from hedgerow.kernels import RBF
from hedgerow.online import (
    ModifiedBalancedWinnow,
    PassiveAggressive,
    Perceptron,
    Projectron,
    TruncatedGradient,
)
from hedgerow.structured import (
    LabelSequence,
    Multiclass,
    StringMapping,
    StructuredPerceptron,
    StructuredSVM,
    WeightedGrammar,
)
from hedgerow.svm import CuttingPlaneSVC

X, Y = [[0.0, 1.0], [1.0, 0.0], [0.5, 1.0], [1.0, 0.5]], [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("learner", "words"),
    [
        (
            PassiveAggressive(variant="PA", C=2.0),
            "C has no effect with variant='PA', got 2.0; leave it at 1.0",
        ),
        (PassiveAggressive(variant="PA", dynamic=True), "dynamic has no effect with variant='PA'"),
        (PassiveAggressive(variant="PA", class_weight={0: 2.0, 1: 1.0}), "class_weight has no effect"),
        (Projectron(RBF(), eta=0.2, budget=3), "eta has no effect beside a budget"),
        (ModifiedBalancedWinnow(top_share=0.5), "top_share has no effect without max_features"),
        (TruncatedGradient(truncate_every=2), "truncate_every has no effect without l1"),
        (TruncatedGradient(threshold=1.0), "threshold has no effect without l1"),
        (CuttingPlaneSVC(sample_size=5), "sample_size has no effect without sampling"),
        (StructuredPerceptron(Multiclass(), C=2.0), "C has no effect with variant='perceptron'"),
        (
            StructuredSVM(StringMapping(), solver="one-slack", optimization="subspace"),
            "optimization has no effect with solver='one-slack'",
        ),
        (StructuredSVM(StringMapping(), averaging=None), "averaging has no effect with solver='n-slack'"),
        (StructuredPerceptron(Multiclass(rivals="all")), "rivals has no effect with perceptrons"),
        (StructuredSVM(WeightedGrammar(min_word_count=3)), "min_word_count has no effect with input='tags'"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_without_effect(learner, words):
    with pytest.raises(ValueError, match=words):
        learner.fit(X, Y)


def test_weights_of_examples_do_not_move_pa():
    with pytest.raises(ValueError, match="sample_weight has no effect with variant='PA'; use PA-I or PA-II"):
        PassiveAggressive(variant="PA").fit(X, Y, sample_weight=[1.0, 2.0, 1.0, 1.0])
    with pytest.raises(ValueError, match="sample_weight has no effect"):
        PassiveAggressive(variant="PA").partial_fit(X, Y, [0, 1], sample_weight=[1.0, 2.0, 1.0, 1.0])


def test_pieces_cannot_be_balanced():
    with pytest.raises(ValueError, match="class_weight='balanced' is for fit, which knows all examples"):
        Perceptron(class_weight="balanced").partial_fit(X, Y, [0, 1])
    Perceptron(class_weight="balanced").fit(X, Y)


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (LabelSequence(order=0, transition_scale=2.0), "transition_scale has no effect with order=0"),
        (LabelSequence(constrained_training=True), "constrained_training has no effect without constraints"),
    ],
)
def test_sequences(problem, words):
    with pytest.raises(ValueError, match=words):
        StructuredPerceptron(problem).fit([["a", "b"]], [["x", "y"]])
