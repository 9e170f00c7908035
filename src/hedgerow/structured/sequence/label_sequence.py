"""The problem of labelling the tokens of sequences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress, pairwise
from typing import Annotated, Any, Literal

import numpy as np

from hedgerow import _core
from hedgerow.checks import Bounds, as_list, check_choice, check_whole
from hedgerow.kernels.base import Kernel, Matrix
from hedgerow.kernels.precomputed import check_kernel
from hedgerow.models.native_estimator import above, below
from hedgerow.parameters import check_unused
from hedgerow.structured.kernel_items import KernelItems
from hedgerow.structured.losses import LossFunction, LossTable, loss_matrix
from hedgerow.structured.problem import Binding, Problem, check_lengths
from hedgerow.structured.sequence.functions import SequenceFunctions
from hedgerow.structured.sequence.labels import LabelNumbers, allowed_moves, check_allowed, found_in, plain
from hedgerow.structured.sequence.moving import MovingFeatures
from hedgerow.structured.sequence.spans import SequenceTally, label_parts, spans, token_accuracy
from hedgerow.structured.sequence.templates import Templates
from hedgerow.structured.sequence.tokens import TokenFeatures, TokenReader, sequence_lengths
from hedgerow.threads import resolve


@dataclass(frozen=True)
class SequenceSurvey:
    """What a shard of sequences has: labels and names of features as they are met, or a number of columns."""

    labels: list[Any]
    names: list[str] | None
    width: int | None
    columns: int | None  # of text


@dataclass(eq=False, repr=False, kw_only=True)
class SequenceParameters:
    """See `LabelSequence`."""

    order: Annotated[int, Bounds(at_least=0, at_most=8)] = 1
    window: Annotated[int, Bounds(at_least=0, at_most=1000)] = 0
    templates: (
        Literal["auto", "text", "chunking", "names", "tagged-names"] | Templates | Sequence[str] | None
    ) = "auto"
    kernel: Kernel | None = None
    classes: Any = None
    transition_scale: Annotated[float, Bounds(at_least=0, at_most=1e10)] = 1.0
    transition_features: Literal["all"] | Sequence[str] | Sequence[int] | Callable[[str], bool] | None = None
    boundaries: bool = False
    bias: bool = True
    loss: Literal["hamming", "mean", "zero-one", "spans", "span-f1"] | LossTable | LossFunction = "hamming"
    constraints: Literal["bio", "iobes"] | Sequence[tuple[Any, Any]] | None = None
    constrained_training: bool = False


class LabelSequence(SequenceParameters, Problem):
    """Label every token of a sequence, with weights for the labels of tokens and for label transitions.

    ``F(x, y) = sum_t u[y_t].Phi(x_t) + transition_scale sum_t v[y_(t-1), y_t]``, and more terms as wanted. The best
    labels are found by dynamic programming; so are the best other than the true ones, and those with the highest loss
    and score, for every form of the SVM.

    A sequence is a list of tokens. A token is text: a word, or a tuple of columns (word, tag and more), of which
    templates make features. Or it has features of its own: a list of strings, or a dict from features to numbers, bools
    or strings (``{"word": "cat", "length": 3}``). Or a sequence is a matrix of tokens by features, sparse or not.
    Outputs are lists of labels, as long as the inputs. Features that were not there in training are ignored.

    Parameters
    ----------
    order : int, default=1
        How many labels before a label its score looks at: with 2 also at triples of labels. With 0 labels do not depend
        on each other.
    window : int, default=0
        Tokens have the features of their neighbours up to so far away, too, kept apart by their distance.
    templates : "auto", Templates, str, sequence of str or None, default="auto"
        What features tokens of text have; see `Templates`. "auto" is "text" for strings and tuples of strings, and
        takes other tokens as they are; with None a string is a feature itself.
    kernel : Kernel, optional
        Of tokens, as vectors of their features.
    classes : sequence, optional
        All labels; by default those that occur in training. Needed by ``partial_fit`` if the first call does not have
        them all.
    transition_scale : float, default=1.0
        The value of features of moves, ``eta`` in the thesis: moves count more with a larger one.
    transition_features : "all", list of str, list of int or callable, default=None
        Features that have weights for moves from label to label too: all; those whose names begin with one of these;
        numbers of columns; or a function of a name.
    boundaries : bool, default=False
        Whether the first and last label have weights of their own.
    bias : bool, default=True
        Whether every label has a weight that does not depend on tokens.
    loss : {"hamming", "mean", "zero-one", "spans", "span-f1"}, matrix, dict or callable, default="hamming"
        The loss: the number of wrong labels, their share, or 1 for any fault; where labels mark spans, as B-PER and
        I-PER do, the number of spans that are in one of two outputs only, or 1 - F1 of spans, whose search takes as
        many times as long as a sequence may have true and other spans. A matrix of true label by label, a dict from
        such pairs, or a function of the two says what each wrong label costs; those not in the dict cost 1. Such losses
        are for margin re-scaling with linear slacks.
    constraints : "bio", "iobes", or pairs of labels, optional
        Moves that predictions may not make: those that are not valid spans, or given pairs of labels that may not
        follow each other (with None for the start or the end).
    constrained_training : bool, default=False
        Whether training, too, leaves out outputs that the constraints do not allow.

    Attributes
    ----------
    classes_ : the labels in the order of their numbers

    Examples
    --------
    >>> from hedgerow.structured import LabelSequence, StructuredPerceptron
    >>> X = [["the", "cat", "sleeps"], ["a", "dog", "sees", "the", "cat"]]
    >>> y = [["D", "N", "V"], ["D", "N", "V", "D", "N"]]
    >>> model = StructuredPerceptron(LabelSequence(), epochs=5).fit(X, y)
    >>> model.predict([["the", "dog", "sleeps"], []])
    [['D', 'N', 'V'], []]
    """

    classes_: Matrix
    numbers_: LabelNumbers
    reader_: TokenReader
    moving_: MovingFeatures
    chain_: _core.Chain
    _asks_loss = False
    losses_: Matrix | None
    tokens_: KernelItems | None  # the distinct training tokens, with a kernel

    def _check_params(self) -> None:
        super()._check_params()
        if isinstance(self.loss, str):
            check_choice("loss", self.loss, ("hamming", "mean", "zero-one", "spans", "span-f1"))
        if self.order == 0:
            check_unused(self, "with order=0", "transition_scale")
        if self.constraints is None:
            check_unused(self, "without constraints", "constrained_training")
        check_kernel(self.kernel, precomputed=False)
        if self.kernel is not None:
            for leaf, _ in self.kernel._leaves():
                if leaf.data_kind in ("text", "tree"):
                    raise TypeError(
                        "kernel compares vectors of tokens' features, such as RBF or Polynomial, not "
                        f"{leaf.data_kind}s as {type(leaf).__name__} does; templates make features of words"
                    )
        if self.kernel is not None and self.transition_features is not None:
            raise ValueError("transition_features need kernel=None: kernels are for tokens with one label")

    # -- what learners use ------------------------------------------------------------------------------------

    def survey(self, X: Any, y: Any) -> SequenceSurvey:
        """The labels and the features of these sequences."""
        self._check_params()
        X, y = list(X), list(y)
        check_lengths(X, y)
        labels = found_in(y)
        if labels:  # all sequences of a shard may be empty
            LabelNumbers(labels).encode(y, sequence_lengths(X))
        reader = self._new_reader()
        reader.read(X, True)
        return SequenceSurvey(labels, reader.new_names(0) or None, reader.width, reader.columns)

    def settle(self, surveys: Sequence[SequenceSurvey]) -> None:
        """Know the labels and features of all shards."""
        found = list(dict.fromkeys(label for survey in surveys for label in survey.labels))
        self._begin(found)
        for survey in surveys:
            self.reader_.meet(survey.names, survey.width, survey.columns)
        self.moving_.look_at(self.reader_)

    def _bind(self, X: Any, y: Any, first: bool) -> Binding:
        X, y = list(X), list(y)
        check_lengths(X, y)
        if first:
            self._begin(found_in(y))
        elif self.kernel is not None:
            raise ValueError("partial_fit needs kernel=None: the tokens of a kernel are fixed")
        # Labels first: what is wrong with them should not leave features behind.
        codes = self.numbers_.encode(y, sequence_lengths(X))
        tokens = self.reader_.read(X, True)
        allowed = allowed_moves(self.constraints, self.numbers_.labels)
        if self.constrained_training and allowed is not None:
            check_allowed(codes, tokens.sequence_begin, allowed, self.numbers_.labels)
        space = _core.Space.plain()
        if self.kernel is not None:
            tokens, rows = tokens.distinct(self.reader_.n_features)
            items = self.tokens_ = KernelItems(self.kernel, rows)
            space = _core.Space.kernel(items.products(), self.chain_.plain, len(self.numbers_))
        prefixes, types = label_parts(self.numbers_.labels) if self._counts_spans else (None, None)
        oracle = _core.sequence_oracle(
            self.chain_,
            self._place(tokens, resolve(None)),
            codes,
            self._n_weights(),
            self.loss if isinstance(self.loss, str) else "table",
            None if self.losses_ is None else self.losses_.ravel(),
            prefixes,
            types,
            self.constrained_training,
        )
        return Binding(oracle, space, tokens.nbytes)

    def _begin(self, found: list[Any]) -> None:
        """Number the labels that were found, unless all are given."""
        self._check_params()
        if self.classes is None:
            self._start(LabelNumbers.among(found))
        else:
            self._start(LabelNumbers(plain(as_list("classes", self.classes, "a list of labels"))))

    def _start(self, numbers: LabelNumbers) -> None:
        self.numbers_ = numbers
        self.classes_ = numbers.as_array()
        self.chain_ = self._chain()
        self.losses_ = None if isinstance(self.loss, str) else loss_matrix(self.loss, numbers.labels, {})
        self.reader_ = self._new_reader()
        self.moving_ = MovingFeatures(self.transition_features, len(numbers), int(self.window))
        self.tokens_ = None

    def _chain(self) -> _core.Chain:
        allowed = allowed_moves(self.constraints, self.numbers_.labels)
        return _core.Chain(
            len(self.numbers_),
            self.order,
            float(self.transition_scale),
            self.boundaries,
            self.bias,
            None if allowed is None else allowed.ravel(),
        )

    def _new_reader(self) -> TokenReader:
        templates = self.templates
        if isinstance(templates, str) and templates == "auto":
            return TokenReader("auto", int(self.window))
        if templates is not None and not isinstance(templates, Templates):
            templates = Templates(templates)
        return TokenReader(templates, int(self.window))

    def _n_weights(self) -> int:
        n = len(self.numbers_)
        if self.tokens_ is not None:
            return self.chain_.plain + len(self.tokens_) * n
        self.moving_.look_at(self.reader_)
        return self.chain_.plain + self.reader_.n_features * n + self.moving_.n_weights

    def _place(self, tokens: TokenFeatures, threads: int) -> _core.TokenSequences:
        """The tokens with the places of their weights in place of features."""
        self.moving_.look_at(self.reader_)
        starts, wide = self.moving_.places(tokens.feature, self.chain_.plain)
        return _core.TokenSequences(
            tokens.sequence_begin, tokens.row_begin, starts, tokens.value, wide, len(self.numbers_), threads
        )

    def _decode(self, X: Any, weights: Matrix, threads: int) -> Any:
        tokens, placed, weights = self._placed(X, weights, threads)
        return self.numbers_.decode(self.chain_.decode(placed, weights, threads), tokens.sequence_begin)

    def _decode_k(self, X: Any, weights: Matrix, k: int, threads: int) -> list[list[tuple[Any, float]]]:
        tokens, placed, weights = self._placed(X, weights, threads)
        found, scores, codes = self.chain_.decode_k(placed, weights, k, threads)
        lengths = np.repeat(np.diff(tokens.sequence_begin), found)
        outputs = self.numbers_.decode(codes, np.concatenate([[0], np.cumsum(lengths)]))
        pairs = list(zip(outputs, scores.tolist(), strict=True))
        return [pairs[i:j] for i, j in pairwise([0, *np.cumsum(found).tolist()])]

    def token_margins(self, X: Any, weights: Matrix, threads: int = 1) -> list[Matrix]:
        """Of each token, by how much the best score would fall with another label; see `SequenceSVC.token_margins`."""
        tokens, placed, weights = self._placed(X, weights, threads)
        n = len(self.numbers_)
        highest = self.chain_.max_marginals(placed, weights, threads).reshape(-1, n)
        two = np.sort(highest, axis=1)[:, -2:] if n > 1 else np.full((len(highest), 2), [-np.inf, 0.0])
        return np.split(two[:, 1] - two[:, 0], tokens.sequence_begin[1:-1])

    def _placed(
        self, X: Any, weights: Matrix, threads: int
    ) -> tuple[TokenFeatures, _core.TokenSequences, Matrix]:
        """Tokens, with the places of their weights, and these; with a kernel, scores take their place."""
        tokens = self.reader_.read(list(X), False)
        weights = self._all_weights(weights)
        if self.tokens_ is not None:
            # Scores of distinct tokens take the place of weights, and each token has one feature.
            n, first = len(self.numbers_), self.chain_.plain
            tokens, rows = tokens.distinct(self.reader_.n_features)
            scores = self.tokens_.functions(rows, weights[first:].reshape(-1, n), threads)
            weights = np.concatenate([weights[:first], scores.ravel()])
        return tokens, self._place(tokens, threads), weights

    def _all_weights(self, weights: Matrix) -> Matrix:
        """With zeros for features that the weights have not met yet."""
        missing = self._n_weights() - len(weights)
        if missing <= 0:
            return np.ascontiguousarray(weights[: self._n_weights()])
        return np.concatenate([weights, np.zeros(missing)])

    @property
    def _quickest(self) -> str:  # type: ignore[override]
        # A step of Frank-Wolfe needs the kernel's rows of all tokens that it moves.
        return "frank-wolfe" if self.kernel is None else "one-slack"

    @property
    def _counts_spans(self) -> bool:
        return isinstance(self.loss, str) and self.loss in ("spans", "span-f1")

    def _supports(self, search: str, root: bool) -> bool:
        counted = isinstance(self.loss, str)
        return search in ("best", "best_wrong") or counted or (search == "margin" and not root)

    # -- what users may ask -----------------------------------------------------------------------------------

    def joint_features(self, x: Any, y: Any) -> dict[int, float]:
        """Psi(x, y) of a problem that has seen its training set, without a kernel."""
        if self.tokens_ is not None:
            raise TypeError("with a kernel, joint features have no numbers")
        tokens = self.reader_.read([x], False)
        codes = self.numbers_.encode([y], sequence_lengths([x]))
        indices, values = self.chain_.joint_features(self._place(tokens, 1), 0, codes)
        return dict(zip(indices.tolist(), values.tolist(), strict=True))

    def compute_loss(self, y_true: Any, y: Any) -> float:
        """The number of wrong labels or spans, their share, 1 for any fault, or the sum of losses, see ``loss``."""
        pairs = list(zip(plain(y_true), plain(y), strict=True))
        wrong = sum(a != b for a, b in pairs)
        if not isinstance(self.loss, str):
            numbers = self.numbers_.numbers
            return float(sum(self.losses_[numbers[a], numbers[b]] for a, b in pairs))  # type: ignore[index]
        if self.loss == "zero-one":
            return float(wrong > 0)
        if self._counts_spans:
            wanted, found = set(spans(plain(y_true))), set(spans(plain(y)))
            both = len(wanted) + len(found)
            return len(wanted ^ found) / (both or 1) if self.loss == "span-f1" else float(len(wanted ^ found))
        return wrong / len(pairs) if self.loss == "mean" and pairs else float(wrong)

    def accuracy(self, y_true: Any, y_pred: Any) -> float:
        """The share of tokens with the right label."""
        return token_accuracy(y_true, y_pred)

    def tally(self) -> SequenceTally:
        """An empty tally for labels of tokens, and for spans where labels mark them."""
        return SequenceTally()

    def emissions(self, weights: Matrix) -> Matrix:
        """Weights of features with labels, features by labels; scores of training tokens with a kernel."""
        weights = self._all_weights(weights)
        n = self._n_weights() - self.chain_.plain
        rows = len(self.tokens_) if self.tokens_ is not None else self.reader_.n_features
        if n == rows * len(self.numbers_):
            return weights[self.chain_.plain :].reshape(rows, len(self.numbers_))
        starts, _ = self.moving_.places(np.arange(rows, dtype=np.int32), self.chain_.plain)
        table: Matrix = weights[starts[:, None] + np.arange(len(self.numbers_))]
        return table

    def transitions(self, weights: Matrix, order: int = 1) -> Matrix:
        """What moves add to a score: from label (rows) to label (columns); labels x labels x labels for order 2."""
        check_whole("order", order, at_least=1, at_most=max(self.order, 1))
        shape = (len(self.numbers_),) * (order + 1)
        if self.order == 0:
            return np.zeros(shape)
        begin = self.chain_.moves_begin(order)
        scores: Matrix = self.transition_scale * weights[begin : begin + np.prod(shape)].reshape(shape)
        return scores

    def feature_names(self) -> list[str]:
        """Names of features in the order of their numbers: the rows of `emissions`."""
        names = self.reader_.new_names(0)
        if names is None:
            names = [str(column) for column in range(self.reader_.width or 0)]
        offsets = range(-int(self.window), int(self.window) + 1)
        return [f"{name}[{offset:+d}]" if self.window else name for name in names for offset in offsets]

    def _functions(self, learner: Any) -> SequenceFunctions:
        return SequenceFunctions(self, self._all_weights(learner.coef_))

    # -- copies -------------------------------------------------------------------------------------------------

    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        description, arrays = self.reader_.to_state()
        arrays = {**arrays, **self.moving_.to_arrays()}
        if self.tokens_ is not None:
            arrays |= above("tokens.", self.tokens_.to_arrays())
        return {"labels": self.numbers_.labels, "reader": description}, arrays

    def _final_state(self, weights: Matrix) -> tuple[dict[str, Any], dict[str, Matrix], Any]:
        if self.tokens_ is not None or self.reader_.names is None or self.moving_.wide.any():
            return super()._final_state(weights)
        known, span = len(self.reader_.names), (2 * int(self.window) + 1) * len(self.numbers_)
        rows = self._all_weights(weights)[self.chain_.plain :].reshape(known, span)
        used: Matrix = np.any(rows, axis=1)
        description, arrays = self._to_state()
        names = _core.FeatureNames()
        names.read([[list(compress(self.reader_.new_names(0) or [], used.tolist()))]], True)
        arrays |= names.save() | {"wide": arrays["wide"][:0], "n_wide": np.zeros(1, dtype=np.int64)}
        left = np.repeat(used, span)[: len(weights) - self.chain_.plain]  # new features have no weights yet
        return description, arrays, np.concatenate([np.ones(self.chain_.plain, dtype=bool), left])

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> None:
        self._check_params()
        self._start(LabelNumbers(description["labels"]))
        if self.reader_.templates is not None:
            self.reader_.templates._parse()
        self.reader_.from_state(description["reader"], arrays)
        self.moving_.from_arrays(arrays)
        if self.kernel is not None:
            width = max(self.reader_.n_features, 1)
            self.tokens_ = KernelItems.from_arrays(self.kernel, width, below("tokens.", arrays))

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        state.pop("chain_", None)  # made again from the labels
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "numbers_" in state:
            self.chain_ = self._chain()
