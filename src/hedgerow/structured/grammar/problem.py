"""Parsing as a structured problem: a tree scores the sum of the weights of its rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import numpy as np
from sklearn.base import clone

from hedgerow import _core
from hedgerow.checks import Count, NotNegative, Whole, as_list, check_choice
from hedgerow.data import Forest
from hedgerow.data.brackets import UNCOUNTED, BracketRules, brackets_of
from hedgerow.data.nltk_trees import is_nltk
from hedgerow.data.parse_nodes import Node, as_forest, trees_of
from hedgerow.kernels.base import Matrix
from hedgerow.models.native_estimator import above, below
from hedgerow.models.stored import stored_texts, stored_whole
from hedgerow.parameters import check_unused
from hedgerow.structured.grammar.brackets import BracketTally, bracket_scores
from hedgerow.structured.grammar.functions import GrammarFunctions
from hedgerow.structured.grammar.restoration import TreeWriter
from hedgerow.structured.grammar.rules import ROOT_CHAIN, Derivation, RuleBook, packed
from hedgerow.structured.grammar.sentences import Sentence, sentence_of_tree, sentences_of
from hedgerow.structured.grammar.spans import SpanBook, SpanTemplates, check_templates, node_classes
from hedgerow.structured.grammar.words import WordKinds
from hedgerow.structured.problem import Binding, Problem, check_lengths

TreeLoss: TypeAlias = (
    Literal["f1", "brackets", "zero-one"] | Mapping[str, float] | Callable[[str], float]  # by label
)


@dataclass(eq=False, repr=False, kw_only=True)
class GrammarParameters:
    """See `WeightedGrammar`."""

    input: Literal["tags", "words"] = "tags"
    branching: Literal["right", "left"] = "right"
    markov: Whole | Literal["all"] = 1
    parents: bool = False
    min_word_count: Count = 2
    uncounted: Sequence[str] = UNCOUNTED
    beam: NotNegative | None = None


@dataclass(eq=False, repr=False, kw_only=True)
class SpanParameters:
    """See `WeightedGrammar`."""

    span_features: SpanTemplates = "auto"


@dataclass(frozen=True)
class GrammarSurvey:
    """What a shard of trees has: rules, where every word is a kind, and how often words and their tags occur."""

    book: RuleBook
    words: Counter[str]  # in the order of their numbers in the book
    tags: Counter[str]
    output: str
    examples: tuple[list[Sentence], Forest] | None  # where spans count: which words are known, all shards say


@dataclass(eq=False, repr=False, kw_only=True)
class WeightedGrammar(SpanParameters, GrammarParameters, Problem):
    """Trees over sentences by a weighted context-free grammar, whose rules are all that occur in training.

    Joint features count rules, and nodes by their label and what they span; the best tree is found by CKY parsing.
    Whatever loss and re-scaling is asked for, the argmax is exact. A sentence that has no tree by the grammar gets a
    flat one, whose root is the most frequent one in training; an empty sentence gets an empty tree.

    Parameters
    ----------
    input : {"tags", "words"}
        What sentences consist of: parts of speech, above which the grammar begins, or words.
    loss : {"f1", "brackets", "zero-one"}, dict or callable
        The loss: 1 - F1 of labelled brackets; the number of brackets that are in one of the two trees only; or 1 for
        every tree that is not the true one. Brackets are counted as by `bracket_scores`. A dict or a function of labels
        says what such a bracket costs in place of 1, for margin re-scaling with linear slacks; labels that are not in
        the dict cost 1.
    branching : {"right", "left"}
        How nodes with more than two children are split into binary rules. Trees are given back whole.
    markov : int or "all", default=1
        How many neighbouring children a rule inside such a node remembers. "all" of them mean that only
        nodes with the same children as in training are possible. The default is the best one for the English
        Web Treebank.
    parents : bool
        Let rules depend on the label above: the NP below an S is another symbol than the NP below a VP.
    min_word_count : int
        Words that occur less often in training are known by their signature only, as unknown words are: how
        they are written and how they end. For ``input="words"``.
    uncounted : sequence of str
        Labels that are not brackets, for loss and accuracy.
    span_features : "auto", sequence of str or None, default="auto"
        What the score of a node looks at in the words that it spans, besides its rule: templates whose parts are
        joined with ``+``. ``length`` is the number of words; the ``first`` and ``last`` word, and those ``before`` and
        ``after``, count as ``tag``, ``word``, ``ending`` or ``shape``; ``inside`` are all words, if they are at most
        five. "auto" takes a set that was made on the English Web Treebank, None none.
    beam : float or None
        At prediction, drop symbols that score lower than the best one over the same words by more. Makes long
        sentences faster, and may miss the best tree. None drops nothing.

    Notes
    -----
    Inputs are sentences: lists of tokens, texts with spaces between tokens, or trees, whose parts of speech
    or words are taken. Outputs are trees as `Forest` takes them, where every word has a part of speech
    above it: ``(NP (DT the) (NN dog))``. Predictions are of the kind of the training outputs: bracketed
    strings, ``nltk.Tree`` objects, or else a Forest. For input by tags, leaves of predictions are the words of
    input trees, or the tags once more.

    For ``input="words"``, the ``tag`` of a word is the one that it has most often in training, and words that are rare
    are known by their signature. For ``input="tags"`` words are those of input trees;
    sentences that are given by tags alone have none, and templates that look at words see nothing there.

    Chains of unary nodes are allowed where training has the whole chain, or it stands below a root; their
    features are those of their single rules.

    References
    ----------
    Tsochantaridis, "Support Vector Machine Learning for Interdependent and Structured Output Spaces" (2005),
    section 4.5.

    Examples
    --------
    >>> from hedgerow.structured import PCFG
    >>> trees = ["(S (NP (D a) (N dog)) (VP (V barks)))", "(S (NP (D a) (N cat)) (VP (V sees) (NP (N dogs))))"]
    >>> PCFG().fit(trees, trees).predict(["D N V D N"])
    ['(S (NP (D D) (N N)) (VP (V V) (NP (D D) (N N))))']
    """

    _asks_loss = False
    _answers_all = True
    _quickest = "frank-wolfe"
    loss: TreeLoss = "f1"

    def _check_params(self) -> None:
        super()._check_params()
        if self.input == "tags":
            check_unused(self, "with input='tags'", "min_word_count")
        as_list("uncounted", self.uncounted, "a sequence of labels")
        check_templates(self.span_features)
        loss: Any = self.loss
        if isinstance(loss, str):
            check_choice("loss", loss, ("f1", "brackets", "zero-one"))
        elif not isinstance(loss, Mapping) and not callable(loss):
            accepted = "'f1', 'brackets', 'zero-one', a dict or a function of labels"
            raise TypeError(f"loss must be {accepted}, got {loss!r}")

    def _begin(self, y: Any) -> None:
        """An empty grammar for trees of this kind."""
        self._check_params()
        self.output_ = _kind_of_trees(y)
        by_tags = self.input == "tags"
        self.kinds_ = WordKinds(None if by_tags else self.min_word_count)
        markov = None if self.markov == "all" else self.markov
        self.book_ = RuleBook(self.branching, markov, self.parents, lexical=not by_tags)
        self.tag_counts_: Counter[str] = Counter()
        templates = check_templates(self.span_features)
        self.spans_ = SpanBook(templates, by_tags, self.kinds_) if templates else None

    # -- what a problem defines -----------------------------------------------------------------------------

    def compute_loss(self, y_true: Any, y: Any) -> float:
        if self.same(y_true, y):
            return 0.0
        if not isinstance(self.loss, str):
            rules = BracketRules(self.uncounted)
            (true, other) = (brackets_of(nodes, rules) for nodes in trees_of([y_true, y], "y"))
            wrong = (true - other) + (other - true)
            return sum(count * self._cost(label) for (label, _, _), count in wrong.items())
        if self.loss == "zero-one":
            return 1.0
        scores = bracket_scores([y_true], [y], uncounted=self.uncounted)
        if self.loss == "f1":
            return 1.0 - scores.f1
        return float(scores.n_true + scores.n_predicted - 2 * scores.n_correct)

    def _cost(self, label: str) -> float:
        """What a bracket costs that is in one of two trees only."""
        loss: Any = self.loss
        cost = loss.get(label, 1.0) if isinstance(loss, Mapping) else loss(label)
        if not 0 <= cost < np.inf:
            raise ValueError(f"loss must be finite and at least 0, but is {cost} for brackets {label!r}")
        return float(cost)

    def _supports(self, search: str, root: bool) -> bool:
        by_cost = not isinstance(self.loss, str)
        return not by_cost or search in ("best", "best_wrong") or (search == "margin" and not root)

    def joint_features(self, x: Any, y: Any) -> dict[int, float]:
        """How often the tree y, which must be one of the grammar's, has each rule and each feature of spans."""
        nodes = next(iter(trees_of([y], "y")))
        sentences = sentences_of([x], self.input == "tags")
        kinds = [self.kinds_[token] for token in sentences[0].tokens]
        derivation = self.book_.derive(nodes, kinds)
        found = Counter(next(self.book_.features_of([derivation], [kinds])))
        if self.spans_ is not None:
            words, _, forms, step_kinds, ids, _ = self._packed(sentences, [kinds], [derivation], False)
            found.update(self.spans_.native.of_tree(self._grammar, words, forms, step_kinds, ids).tolist())
        return dict(found)

    def same(self, y: Any, z: Any) -> bool:
        return as_forest([y]) == as_forest([z])

    def accuracy(self, y_true: Any, y_pred: Any) -> float:
        """F1 of labelled brackets, over all trees together."""
        return bracket_scores(y_true, y_pred, uncounted=self.uncounted).f1

    def tally(self) -> BracketTally:
        return BracketTally()

    # -- what learners use ----------------------------------------------------------------------------------

    def survey(self, X: Any, y: Any) -> GrammarSurvey:
        """The rules and words of these trees."""
        scout = clone(self).set_params(span_features=None)
        scout._begin(y)
        scout.kinds_ = WordKinds(None)  # which words are rare, all shards say together
        sentences, kinds, _ = scout._learn(X, y)
        examples = (sentences, as_forest(y)) if check_templates(self.span_features) else None
        counts = Counter(kind for sentence in kinds for kind in sentence)
        words = Counter({word: counts[number] for word, number in scout.kinds_.numbers.items()})
        return GrammarSurvey(scout.book_, words, scout.tag_counts_, scout.output_, examples)

    def settle(self, surveys: Sequence[GrammarSurvey]) -> None:
        """Know the rules and words of all shards."""
        self._begin(())
        outputs = {survey.output for survey in surveys}
        self.output_ = outputs.pop() if len(outputs) == 1 else "forest"
        words: Counter[str] = Counter()
        for survey in surveys:
            words.update(survey.words)
            self.tag_counts_.update(survey.tags)
        self.kinds_.learn(words)
        for survey in surveys:
            self.book_.merge(survey.book, [self.kinds_[word] for word in survey.words])
        self._compile()
        if self.spans_ is not None:
            self._meet_spans(self.spans_, [survey.examples for survey in surveys if survey.examples])

    def _meet_spans(self, spans: SpanBook, examples: Sequence[tuple[list[Sentence], Forest]]) -> None:
        """Know the words and spans of examples whose rules are known."""
        sentences = [sentence for own, _ in examples for sentence in own]
        trees = [nodes for _, forest in examples for nodes in trees_of(forest, "y")]
        kinds = [[self.kinds_[token] for token in sentence.tokens] for sentence in sentences]
        if self.input == "words":
            spans.learn_tags(_tags_of_kinds(kinds, trees))
        derivations = [self.book_.derive(nodes, own) for nodes, own in zip(trees, kinds, strict=True)]
        packed_examples = self._packed(sentences, kinds, derivations, True)
        self.book_.n_features = spans.native.meet(self._grammar, *packed_examples, self.book_.n_features)

    def _bind(self, X: Any, y: Any, first: bool) -> Binding:
        if first:
            self._begin(y)
        sentences, kinds, derivations = self._learn(X, y)
        self._compile()
        examples = self._packed(sentences, kinds, derivations, True)
        if self.spans_ is not None:
            self.book_.n_features = self.spans_.native.meet(self._grammar, *examples, self.book_.n_features)
        nbytes = sum(array.nbytes for array in examples)
        loss: Any = self.loss
        costs = np.zeros(0)
        if not isinstance(loss, str):
            _, labels = self.book_.bracket_labels(self.uncounted)
            loss, costs = "costs", np.array([self._cost(label) for label in labels])
        return Binding(self._grammar.bind(loss, costs, *examples), _core.Space.plain(), nbytes)

    def _undo(self) -> Callable[[], None]:
        book, spans = self.book_, self.spans_
        compiled = {name: vars(self)[name] for name in ("_grammar", "_roots")}
        tables = [*book.tables(), self.kinds_.numbers, *(spans.tables() if spans is not None else [])]
        sizes = [len(table) for table in tables]
        starts, tag_counts, n_features = dict(book.starts), Counter(self.tag_counts_), book.n_features
        of_spans = (0, 0) if spans is None else spans.native.known()

        # Nothing in there asks for memory: it may be what there is too little of.
        def undo() -> None:
            for table, size in zip(tables, sizes, strict=True):
                while len(table) > size:
                    table.popitem()
            book.starts, book.n_features, self.tag_counts_ = starts, n_features, tag_counts
            if spans is not None:
                spans.native.take_back(*of_spans)
            self.__dict__.update(compiled)

        return undo

    def _learn(self, X: Any, y: Any) -> tuple[list[Sentence], list[list[int]], list[Derivation]]:
        """Take up the rules of the examples: sentences, kinds of their words, and derivations of their trees."""
        trees = list(trees_of(y, "y"))
        below = [sentence_of_tree(nodes, self.input == "tags") for nodes in trees]
        sentences = below if X is y else sentences_of(X, self.input == "tags")
        check_lengths(sentences, trees)
        self._check_sentences(sentences, below)
        if not self.kinds_.numbers:
            self.kinds_.learn(Counter(token for sentence in sentences for token in sentence.tokens))
        kinds = [[self.kinds_.add(token) for token in sentence.tokens] for sentence in sentences]
        for nodes in trees:
            self.tag_counts_.update(node.label for node in nodes if node.is_tag)
        if self.spans_ is not None and self.input == "words":
            self.spans_.learn_tags(_tags_of_kinds(kinds, trees))
        derivations = [self.book_.learn(nodes, words) for nodes, words in zip(trees, kinds, strict=True)]
        return sentences, kinds, derivations

    def _packed(
        self, sentences: list[Sentence], kinds: list[list[int]], derivations: list[Derivation], grow: bool
    ) -> tuple[Matrix, Matrix, Matrix, Matrix, Matrix, Matrix]:
        """Examples for native code: words and their beginnings, forms, kinds and ids of steps and their beginnings."""
        steps = [
            [*derivation.steps, (ROOT_CHAIN, self._roots[derivation.root])] for derivation in derivations
        ]
        step_kinds, _ = packed([[kind for kind, _ in tree] for tree in steps])
        ids, begin = packed([[number for _, number in tree] for tree in steps])
        return (*packed(kinds), self._forms(sentences, grow), step_kinds, ids, begin)

    def _forms(self, sentences: list[Sentence], grow: bool = False) -> Matrix:
        return np.zeros(0, np.int32) if self.spans_ is None else self.spans_.read(sentences, grow)

    def _check_sentences(self, sentences: list[Sentence], below: list[Sentence]) -> None:
        """Sentences are those below the trees."""
        for number, ((tokens, _), (wanted, _)) in enumerate(zip(sentences, below, strict=True)):
            if not wanted:
                raise ValueError(f"y[{number}] is an empty tree, from which nothing can be learned")
            if tokens != wanted:
                pairs = zip(tokens, wanted, strict=False)
                at = next((k for k, (a, b) in enumerate(pairs) if a != b), None)
                what = (
                    f"{len(tokens)} {self.input} and {len(wanted)}"
                    if at is None
                    else f"{tokens[at]!r} and {wanted[at]!r} at position {at}"
                )
                raise ValueError(f"X[{number}] is not the sentence of the tree y[{number}]: they have {what}")

    def _count(self, X: Any, y: Any) -> Matrix:
        """Start with these examples, and say how often their trees use each rule."""
        self._begin(y)
        _, kinds, derivations = self._learn(X, y)
        self._compile()
        counts = Counter(f for features in self.book_.features_of(derivations, kinds) for f in features)
        return np.array([counts[f] for f in range(self.book_.n_features)], np.float64)

    def _compile(self) -> None:
        classes, _ = node_classes(self.book_)
        n_kinds = len(self.kinds_.numbers)
        self._grammar, self._roots = self.book_.native(self.uncounted, n_kinds, classes)
        if self.spans_ is not None:
            self._grammar.look_at_spans(np.array(classes, np.int32), self.spans_.native)

    def _decode(self, X: Any, weights: Matrix, threads: int) -> Any:
        sentences, kinds, beam = self._read_sentences(X)
        steps = self._grammar.parse(weights, *packed(kinds), self._forms(sentences), beam, threads)
        return self._written(sentences, kinds, weights, *steps)

    def _decode_k(self, X: Any, weights: Matrix, k: int, threads: int) -> list[list[tuple[Any, float]]]:
        sentences, kinds, beam = self._read_sentences(X)
        forms = self._forms(sentences)
        *steps, found, scores = self._grammar.parse_k(weights, *packed(kinds), forms, k, beam, threads)
        # What cannot be parsed has one tree, and no score.
        counts = np.maximum(found, 1)
        places = np.repeat(np.arange(len(sentences)), counts)
        parsed = np.repeat(found > 0, counts)
        all_scores = np.full(len(places), -np.inf)
        all_scores[parsed] = scores
        lengths = np.zeros(len(places), dtype=np.int64)
        lengths[parsed] = np.diff(steps[2])
        begin = np.concatenate([[0], np.cumsum(lengths)])
        trees = self._written(
            [sentences[i] for i in places], [kinds[i] for i in places], weights, steps[0], steps[1], begin
        )
        pairs = list(zip(trees, all_scores.tolist(), strict=True))
        return [pairs[i:j] for i, j in pairwise([0, *np.cumsum(counts).tolist()])]

    def _read_sentences(self, X: Any) -> tuple[list[Sentence], list[list[int]], float]:
        """Sentences, the kinds of their words, and the beam."""
        sentences = sentences_of(X, self.input == "tags")
        kinds = [[self.kinds_[token] for token in sentence.tokens] for sentence in sentences]
        return sentences, kinds, np.inf if self.beam is None else float(self.beam)

    def _written(
        self,
        sentences: list[Sentence],
        kinds: list[list[int]],
        weights: Matrix,
        step_kinds: Matrix,
        ids: Matrix,
        begin: Matrix,
    ) -> Any:
        """The trees of derivations; without steps, a flat one."""
        writer = TreeWriter(self.book_)
        for k, (sentence, (first, last)) in enumerate(zip(sentences, pairwise(begin.tolist()), strict=True)):
            if first < last:
                writer.write(step_kinds[first:last].tolist(), ids[first:last].tolist(), sentence.words)
            else:
                self._write_flat(writer, sentence, kinds[k], weights)
        return _as_kind(writer.forest(), self.output_)

    def _write_flat(self, writer: TreeWriter, sentence: Sentence, kinds: list[int], weights: Matrix) -> None:
        """The tree of a sentence that the grammar cannot parse: all words below the most frequent root."""
        if sentence.words:
            for token, word, kind in zip(sentence.tokens, sentence.words, kinds, strict=True):
                writer.node(word, 0)
                writer.node(token if self.input == "tags" else self._best_tag(kind, weights), 1)
            writer.node(self.root_label, len(sentence.words))
        writer.end_tree()

    def _best_tag(self, kind: int, weights: Matrix) -> str:
        """Of a word by itself."""
        tags = {tag: weights[f] for (k, tag), f in self.book_.words.items() if k == kind}
        if not tags:
            return self.tag_counts_.most_common(1)[0][0]
        symbols = list(self.book_.symbols)
        return symbols[max(tags, key=lambda tag: tags[tag])].label

    @property
    def root_label(self) -> str:
        """The most frequent label of roots in training."""
        symbols = list(self.book_.symbols)
        counts: Counter[str] = Counter()
        for start, count in self.book_.starts.items():
            counts[symbols[start[0]].label] += count
        return counts.most_common(1)[0][0]

    def _functions(self, learner: Any) -> GrammarFunctions:
        return GrammarFunctions(self, learner.coef_, learner.predict)

    # -- copies ---------------------------------------------------------------------------------------------

    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        return self._state(np.arange(self.book_.n_features))

    def _final_state(self, weights: Matrix) -> tuple[dict[str, Any], dict[str, Matrix], Any]:
        if self.spans_ is None:
            return super()._final_state(weights)
        # Rules are what trees are made of; features of spans can go.
        n = self.book_.n_features
        kept = np.ones(n, bool)
        of_spans = self.spans_.native.state()[-1]
        kept[of_spans] = np.concatenate([weights, np.zeros(n)])[of_spans] != 0
        return *self._state(np.where(kept, np.cumsum(kept) - 1, -1)), np.flatnonzero(kept[: len(weights)])

    def _state(self, numbers: Matrix) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """What is saved; features have these numbers there, those of spans with -1 are left out."""
        description, arrays = self.book_.to_state(numbers)
        state = {
            "rules": description,
            "words": {"kinds": list(self.kinds_.numbers)},
            "tags": dict(self.tag_counts_),
            "output": self.output_,
        }
        if self.spans_ is not None:
            state["spans"], of_spans = self.spans_.to_state(numbers)
            arrays |= above("spans.", of_spans)
        return state, arrays

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> None:
        self._begin(())
        self.book_.from_state(description["rules"], arrays)
        kinds = stored_texts(description["words"], "kinds")
        self.kinds_.numbers = {kind: k for k, kind in enumerate(kinds)}
        if len(self.kinds_.numbers) != len(kinds) or any(
            not 0 <= k < len(kinds) for k, _ in self.book_.words
        ):
            raise ValueError("words must have kinds, each once")
        self.spans_ = None
        if "spans" in description:
            templates = check_templates(stored_texts(description["spans"], "templates"))
            self.spans_ = SpanBook(templates, self.input == "tags", self.kinds_)
            self.spans_.from_state(description["spans"], below("spans.", arrays), self.book_)
        self.tag_counts_ = Counter(
            {tag: stored_whole(description["tags"], tag) for tag in description["tags"]}
        )
        if not self.book_.starts or not self.tag_counts_:
            raise ValueError("starts and tags must not be empty")
        self.output_ = description["output"]
        if self.output_ not in ("nltk", "brackets", "forest"):
            raise ValueError("output must be 'nltk', 'brackets' or 'forest'")
        self._compile()

    def _n_weights(self) -> int:
        return self.book_.n_features

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name not in ("_grammar", "_roots")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if hasattr(self, "book_"):
            self._compile()


def _tags_of_kinds(kinds: list[list[int]], trees: list[list[Node]]) -> Counter[tuple[int, str]]:
    """How often kinds of words have a tag."""
    return Counter(
        pair
        for nodes, own in zip(trees, kinds, strict=True)
        for pair in zip(own, (node.label for node in nodes if node.is_tag), strict=True)
    )


def _kind_of_trees(y: Any) -> str:
    """What predictions are: "nltk", "brackets" or "forest"."""
    if isinstance(y, Forest):
        return "forest"
    kinds = {"brackets" if isinstance(tree, str) else "nltk" if is_nltk(tree) else "forest" for tree in y}
    return kinds.pop() if len(kinds) == 1 else "forest"


def _as_kind(forest: Forest, kind: str) -> Any:
    if kind == "nltk":
        return forest.to_nltk()
    return forest.to_brackets(replace_space="_") if kind == "brackets" else forest
