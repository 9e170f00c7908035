"""The perceptron: plain, voted, averaged."""

from __future__ import annotations

from dataclasses import dataclass

from hedgerow.models.annotations import KernelOrValues
from hedgerow.online.base import WeightedOnlineClassifier
from hedgerow.online.two_forms import TwoFormLearner


@dataclass(eq=False, repr=False)
class Perceptron(WeightedOnlineClassifier, TwoFormLearner):
    """The perceptron: an example that is not predicted rightly is added to the function.

    Parameters
    ----------
    kernel : Kernel, "precomputed" or None, default=None
        With None it keeps weights of the features of vectors; with a kernel, supports. With "precomputed", `fit` takes
        the kernel values between all examples, and prediction those between items (rows) and examples (columns).
    bias : bool, default=False
        Whether functions have a bias, which moves by the largest K(x, x) so far with every mistake.
    averaging : {None, "average", "vote", "normalized"}, default=None
        What predictions come from: the last predictor; the average of the predictors after each example; the
        majority of these predictors; the average of predictors divided by their norms.
        Votes need all predictors, whose changes are stored: as much memory as all updates took.
    epochs : int, default=1
        Passes over the data in `fit`.
    shuffle : bool, default=False
        Whether each pass goes through the examples in a new random order, instead of the given one.
    random_state : int, RandomState or None, default=None
        Makes shuffling and random codes repeatable.
    multiclass : {"one-vs-rest", "one-vs-one", "codes"}, default="one-vs-rest"
        How more than two classes are told apart: one function for each class; one for each pair; random
        error-correcting codes. All functions share the supports and every kernel value.
    class_weight : dict, "balanced" or None, default=None
        Factors of the weights of examples, by class.
    precision : {"double", "single"}, default="double"
        Of tree kernels, when predicting many items; ``"single"`` is faster, kernel values have a relative
        error below 1e-5. Learning is always in double precision.
    n_features : int or None, default=None
        On weights: a power of two that bounds memory. Feature j is then feature j modulo ``n_features``, as for
        hashed features, and features that meet add up. With None there is a weight for every feature, and sparse
        matrices may bring new ones at any time.
    trace_every : int or None, default=None
        Examples between two entries of `trace_`; None records none.
    n_jobs : int or None, default=None
        Threads for prediction; see `hedgerow.set_n_jobs`.

    Attributes
    ----------
    classes_ : the labels, sorted
    support_, n_support_, support_items_, dual_coef_ : with a kernel
    coef_, n_nonzero_ : without one
    intercept_, mistakes_, n_seen_, trace_ : in both forms

    References
    ----------
    F. Rosenblatt: The perceptron, Psychological Review 65, 1958. Y. Freund, R. E. Schapire: Large margin
    classification using the perceptron algorithm, Machine Learning 37, 1999.

    Examples
    --------
    >>> from hedgerow.kernels import Normalized, SubsetTree
    >>> from hedgerow.online import Perceptron
    >>> model = Perceptron(Normalized(SubsetTree()), averaging="average")
    >>> trees = ["(S (NP a) (VP b))", "(S (NP a) (NP c))", "(S (NP d) (VP b))", "(S (NP d) (NP c))"]
    >>> model.fit(trees, ["verb", "noun", "verb", "noun"]).predict(["(S (NP e) (VP b))"])
    array(['verb'], dtype='<U4')
    >>> model.n_support_, model.mistakes_
    (2, 2)
    >>> model = Perceptron().fit([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], ["a", "b", "b"])
    >>> model.coef_, model.n_nonzero_
    (array([[2., 0.]]), 1)
    """

    _rule_name = "perceptron"

    kernel: KernelOrValues = None
    bias: bool = False
