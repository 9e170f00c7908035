"""StructuredSVM as an estimator: parameters, copies, interruption, what it prints."""

from __future__ import annotations

import pickle
import signal

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score

from hedgerow.structured import Multiclass, Problem, StructuredSVM
from tests.structured.tiny_problems import Tags, make_classes, make_tags

SOLVERS = ["n-slack", "one-slack"]


class Raising(Tags):
    """Fails in a certain way when it is asked for the n-th time."""

    calls = 0

    def loss_augmented_argmax(self, x, y_true, F, violation):
        type(self).calls += 1
        if type(self).calls == 100:
            self.fail()
        return super().loss_augmented_argmax(x, y_true, F, violation)


class Interrupted(Raising):
    def fail(self):
        raise KeyboardInterrupt


class Signalled(Raising):
    def fail(self):
        signal.raise_signal(signal.SIGINT)


class Broken(Raising):
    def fail(self):
        raise RuntimeError("no output")


class TestParameters:
    @pytest.mark.parametrize(
        ("parameters", "error", "message"),
        [
            ({"C": 0}, ValueError, "C must be a number at least 1e-20 and at most 1e"),
            ({"slack": "cubic"}, ValueError, "slack must be one of None, 'linear', 'quadratic'"),
            ({"rescaling": "loss"}, ValueError, "rescaling must be one of None, 'margin', 'slack'"),
            (
                {"solver": "sgd"},
                ValueError,
                "solver must be one of 'auto', 'one-slack', 'n-slack', 'frank-wolfe'",
            ),
            ({"tol": 0.0}, ValueError, "tol must be a number above 0"),
            ({"max_iter": 0}, ValueError, "max_iter must be a whole number at least 1"),
            ({"max_iter": 1.5}, TypeError, "max_iter must be a whole number"),
            ({"optimization": "none"}, ValueError, "optimization must be one of 'full', 'subspace'"),
            ({"averaging": True}, ValueError, "averaging must be one of None, 'average'"),
            ({"verbose": 1}, TypeError, "verbose must be True or False"),
            ({"slack": None}, ValueError, "needs rescaling=None, got 'margin'"),
            (
                {"slack": "quadratic", "solver": "one-slack"},
                ValueError,
                "'one-slack' does not support slack='quadratic'; use solver='n-slack'$",
            ),
            (
                {"slack": None, "rescaling": None, "solver": "one-slack"},
                ValueError,
                "'one-slack' does not support slack=None; use solver='n-slack'$",
            ),
            (
                {"solver": "frank-wolfe", "slack": "quadratic"},
                ValueError,
                "'frank-wolfe' does not support slack='quadratic'",
            ),
            ({"problem": "tags"}, TypeError, "problem must be a hedgerow.structured.Problem, got 'tags'"),
        ],
    )
    def test_errors_name_what_is_accepted(self, parameters, error, message):
        problem, X, Y = make_tags()
        with pytest.raises(error, match=message):
            StructuredSVM(problem).set_params(**parameters).fit(X, Y)

    @pytest.mark.parametrize(
        ("methods", "formulation", "message"),
        [
            ({"argmax"}, {}, "it supports perceptrons only"),
            (
                {"argmax", "runner_up"},
                {},
                "supports slack=None, rescaling=None; slack='linear', rescaling=None; ",
            ),
            (
                {"argmax", "loss_augmented_argmax"},
                {"rescaling": "slack"},
                "cannot be trained with slack='linear', rescaling='slack'; it supports "
                "slack='linear', rescaling='margin'$",
            ),
            ({"argmax", "loss_augmented_argmax"}, {"rescaling": None}, "cannot be trained with"),
            (
                {"argmax", "loss_augmented_argmax"},
                {"slack": "quadratic", "solver": "n-slack"},
                "slack='quadratic', rescaling='margin'; it supports slack='linear', rescaling='margin'$",
            ),
        ],
    )
    def test_formulations_that_a_problem_does_not_support(self, methods, formulation, message):
        body = {name: lambda self, *arguments: arguments[0] for name in methods} | {
            "joint_features": lambda self, x, y: {0: 1.0},
            "rescalings": ("margin",),
            "quadratic_rescalings": (),
        }
        partial = type("Partial", (Problem,), body)
        with pytest.raises(ValueError, match=message):
            StructuredSVM(partial(), **formulation).fit([0], [0])

    def test_a_problem_without_features(self):
        class Bare(Problem):
            def candidates(self, x):
                return [0, 1]

        with pytest.raises(TypeError, match="Bare defines neither joint_features nor joint_kernel"):
            StructuredSVM(Bare()).fit([0], [0])

    def test_examples_must_match(self):
        problem, X, Y = make_tags()
        with pytest.raises(ValueError, match="there are 8 inputs, but 7 outputs"):
            StructuredSVM(problem).fit(X, Y[:-1])
        with pytest.raises(ValueError, match="no examples"):
            StructuredSVM(problem).fit([], [])

    def test_before_fit(self):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            StructuredSVM(make_tags()[0]).predict([(0,)])


@pytest.mark.parametrize("solver", SOLVERS)
class TestEstimator:
    def test_clone_and_pickle(self, solver):
        problem, X, Y = make_tags()
        model = StructuredSVM(problem, 0.3, solver=solver).fit(X, Y)
        assert clone(model).get_params()["problem__n_words"] == 4
        copy = pickle.loads(pickle.dumps(model))
        assert_array_equal(copy.coef_, model.coef_)
        assert copy.predict(X) == model.predict(X)
        assert_array_equal(copy.trace_.certificate, model.trace_.certificate)
        assert_array_equal(clone(model).fit(X, Y).coef_, model.coef_)

    def test_searches_over_parameters(self, solver):
        problem, X, Y = make_classes(n=30)
        search = GridSearchCV(
            StructuredSVM(problem, solver=solver, tol=0.1),
            {"C": [0.01, 1.0], "problem__losses": [problem.losses]},
            cv=3,
        )
        search.fit(X, Y)
        assert search.best_score_ > 0.4
        scores = cross_val_score(StructuredSVM(problem, solver=solver), X, Y, cv=3)
        assert scores.shape == (3,)
        assert np.isfinite(scores).all()

    def test_threads_and_seeds_change_nothing(self, solver):
        problem, X, Y = make_tags(n=20)
        models = [
            StructuredSVM(problem, solver=solver, n_jobs=n_jobs, random_state=seed).fit(X, Y)
            for n_jobs, seed in [(1, 0), (2, 0), (1, 7)]
        ]
        for model in models[1:]:
            assert_array_equal(model.coef_, models[0].coef_)

    def test_threads_of_native_problems_change_nothing(self, solver):
        random = np.random.RandomState(0)
        X, y = random.standard_normal((200, 5)), random.randint(4, size=200)
        models = [
            StructuredSVM(Multiclass(), 0.1, solver=solver, n_jobs=n_jobs).fit(X, y) for n_jobs in (1, 2, 3)
        ]
        for model in models[1:]:
            assert_array_equal(model.coef_, models[0].coef_)
            assert model.objective_ == models[0].objective_

    def test_trace_and_lines(self, solver, capsys):
        problem, X, Y = make_tags()
        model = StructuredSVM(problem, solver=solver, verbose=True).fit(X, Y)
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) == len(model.trace_) == model.n_iter_
        assert lines[0].startswith("round 1: objective ")
        trace = model.trace_
        assert trace.objective[-1] == model.objective_
        assert trace.certificate[-1] == model.certificate_
        assert trace.constraints[-1] == model.n_constraints_
        assert (np.diff(trace.dual_objective) >= -1e-12).all()
        assert model.argmax_seconds_ > 0
        assert model.qp_seconds_ > 0
        assert set(trace.to_dict()) == {
            "iteration",
            "objective",
            "dual_objective",
            "certificate",
            "constraints",
            "seconds",
        }

    @pytest.mark.parametrize("problem", [Interrupted, Signalled])
    def test_interruption_keeps_weights(self, solver, problem):
        _, X, Y = make_tags(n=40)
        problem.calls = 0
        model = StructuredSVM(problem(4), 100.0, solver=solver, tol=1e-9)
        with pytest.raises(KeyboardInterrupt):
            model.fit(X, Y)
        assert not model.converged_
        assert np.abs(model.coef_).max() > 0
        assert len(model.predict(X)) == len(X)
        assert len(model.trace_) >= 1
        assert model.objective_ >= model.dual_objective_

    def test_errors_of_a_problem_come_through(self, solver):
        _, X, Y = make_tags(n=40)
        Broken.calls = 0
        with pytest.raises(RuntimeError, match="no output"):
            StructuredSVM(Broken(4), 100.0, solver=solver, tol=1e-9).fit(X, Y)

    def test_one_output_only(self, solver):
        class Constant(Problem):
            def candidates(self, x):
                return ["a"]

            def joint_features(self, x, y):
                return {0: x}

        model = StructuredSVM(Constant(), rescaling=None, solver=solver).fit([1.0, 2.0], ["a", "a"])
        assert model.objective_ == 0
        assert model.predict([3.0]) == ["a"]
