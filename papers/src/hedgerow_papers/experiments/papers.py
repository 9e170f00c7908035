"""Every table and figure with results in the papers behind hedgerow, and the experiment that does it again."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from hedgerow_papers.experiments.catalogue import EXPERIMENTS
from hedgerow_papers.experiments.experiment import Experiment, Row, Settings
from hedgerow_papers.experiments.missing_data import missing_files, sets_of


@dataclass(frozen=True)
class Result:
    """A table or figure, or several that one experiment does alike.

    Attributes
    ----------
    place, shows : str
        Where it stands, and what it shows.
    experiment : str, optional
        What does it again; None where nothing does, and ``why_not`` says why.
    tables : tuple of str
        Its names in ``published.json``.
    rows : tuple of str
        Those of the experiment that belong to it, with wildcards.
    drawn : bool
        ``--plot`` and ``--output`` draw it.
    """

    place: str
    shows: str
    experiment: str | None = None
    tables: tuple[str, ...] = ()
    rows: tuple[str, ...] = ("*",)
    drawn: bool = False
    why_not: str = ""

    def chosen_rows(self) -> list[Row]:
        """The rows of the experiment that belong to it."""
        if self.experiment is None:
            return []
        rows = (row for row in EXPERIMENTS[self.experiment].rows if not row.published_only)
        return [row for row in rows if any(fnmatchcase(row.name, pattern) for pattern in self.rows)]

    def minutes(self) -> float:
        """Of all its runs on two cores, rows that have to be asked for included."""
        if self.experiment is None:
            return 0.0
        runs = EXPERIMENTS[self.experiment].runs_of_a_row(Settings())
        return runs * sum(row.minutes for row in self.chosen_rows())

    def data_sets(self) -> list[str]:
        """The data sets that its rows need."""
        if self.experiment is None:
            return []
        return sets_of(self._of_experiment().needed_files(Settings(rows=self.rows)))

    def data_differences(self) -> list[str]:
        """How its data differ from those of the paper."""
        if self.experiment is None:
            return []
        rows = self.chosen_rows()
        names = {row.name for row in rows}
        layouts = [
            layout
            for layout in self._of_experiment().layouts
            if (layout.published in self.tables or not self.tables)
            and (layout.rows is None or names & set(layout.rows))
        ]
        words = (
            *(layout.data_difference for layout in layouts),
            *(layout.slight_difference for layout in layouts),
            *(row.data_difference for row in rows),
        )
        return [difference for difference in dict.fromkeys(words) if difference]

    def missing_sets(self, folder: Path) -> list[str]:
        """Those of which the folder lacks files."""
        if self.experiment is None:
            return []
        return sets_of(missing_files(self._of_experiment(), Settings(data=folder, rows=self.rows)))

    def _of_experiment(self) -> Experiment:
        return EXPERIMENTS[str(self.experiment)]


@dataclass(frozen=True)
class Paper:
    """What was published."""

    citation: str
    results: tuple[Result, ...]


DRAWING = "an explanation, not a result"

PAPERS = (
    Paper(
        "P. McKenna, Online learning for structural kernels, 2011",
        (
            Result("figure 2.1", "the margin", why_not=DRAWING),
            Result(
                "table 5.1", "two Gaussians: F1, supports, time", "online_synthetic", ("online_synthetic",)
            ),
            Result("table 5.2", "Adult: F1, supports, time", "online_adult", ("online_adult",)),
            Result(
                "figures 5.1-5.3", "Adult: F1, supports and time while learning", "online_adult", drawn=True
            ),
            Result(
                "table 6.1", "questions: F1 of each class", "online_questions", ("online_questions_binary",)
            ),
            Result("table 6.2", "questions: accuracy", "online_questions", ("online_questions_multiclass",)),
            Result("table 6.3", "argument boundaries: F1, supports, time", "online_srl", ("online_srl",)),
            Result(
                "figures 6.1-6.3",
                "argument boundaries: F1, supports and time while learning",
                "online_srl",
                drawn=True,
            ),
        ),
    ),
    Paper(
        "A. Severyn and A. Moschitti, Large-scale support vector learning with structural kernels, 2010",
        (
            Result("figure 1", "fragments of a tree", why_not=DRAWING),
            Result(
                "figures 2, 3",
                "F1, time and support vectors by sample size",
                "sampled_cuts_size",
                ("sampled_cuts_size",),
                drawn=True,
            ),
            Result(
                "figure 4",
                "boundaries: F1 and time by C",
                "parameter_choice",
                ("parameter_choice_c_boundaries",),
                rows=("boundaries, *",),
                drawn=True,
            ),
            Result(
                "figure 5",
                "questions: F1 by C",
                "parameter_choice",
                ("parameter_choice_c",),
                rows=("C = *",),
                drawn=True,
            ),
            Result(
                "table 1", "five kernels by sample size", "sampled_cuts_kernels", ("sampled_cuts_kernels",)
            ),
            Result(
                "figure 6",
                "F1 by decay and sample size",
                "parameter_choice",
                ("parameter_choice_decay",),
                rows=("decay *",),
                drawn=True,
            ),
        ),
    ),
    Paper(
        "V. R. Carvalho and W. W. Cohen, Notes on single-pass online learning algorithms, 2006",
        (
            Result("tables 1-3, figure 5", "algorithms and parameters", why_not=DRAWING),
            Result(
                "table 4",
                "F1 of single-pass learners, plain and averaged",
                "single_pass",
                ("single_pass", "single_pass_voted"),
            ),
            Result("table 5", "F1 beside batch learners", "single_pass", ("single_pass_batch",)),
            Result("figure 1", "F1 of averaged over plain learners", "single_pass", drawn=True),
            Result(
                "figures 2-4",
                "F1, errors and mistakes while examples come",
                "learning_curves",
                tuple(f"learning_curves_{curve}" for curve in ("f1", "error", "mistakes")),
                drawn=True,
            ),
            Result(
                "figures 6-8",
                "errors by number of features",
                "feature_selection",
                ("feature_selection",),
                drawn=True,
            ),
        ),
    ),
    Paper(
        "T. Xu, J. Gao, L. Xiao and A. Regan, Online classification using a voted RDA method, 2014",
        (
            Result(
                "table 1",
                "precision, recall, F and nonzeros",
                "voted_rda",
                ("voted_rda",),
                rows=("Baseline", "Oracle", "Perceptron", "TG (*)", "vRDA (*)", "RDA (*)"),
            ),
            Result(
                "figures 1-3",
                "nonzeros, F and mistakes by lambda",
                "voted_rda",
                ("voted_rda_sparsity",),
                rows=("Perceptron", "vRDA (*), lambda *"),
                drawn=True,
            ),
            Result(
                "figures 4, 5",
                "last and average predictor; RDA and voted RDA",
                "voted_rda",
                rows=("vRDA (hinge)", "vRDA (log)", "RDA (*)"),
                drawn=True,
            ),
        ),
    ),
    Paper(
        "I. Tsochantaridis, Support vector machine learning for interdependent and structured output spaces, 2005",
        (
            Result("figures 1.1-4.2", "problems and methods", why_not=DRAWING),
            Result("table 4.1", "patents in a taxonomy: accuracy, tree loss", "taxonomy", ("taxonomy",)),
            Result(
                "tables 4.2, 4.3",
                "Spanish names: token errors",
                "named_entities",
                ("named_entities",),
                rows=("HMM*", "Perceptron", "SVM2*"),
            ),
            Result(
                "table 4.4",
                "grammars: brackets, training",
                "grammar",
                ("grammar_brackets", "grammar_training"),
            ),
            Result("table 4.5", "strings from strings: loss", "string_mapping", ("string_mapping",)),
            Result("tables 4.6, 4.7", "losses and joint features", why_not=DRAWING),
        ),
    ),
    Paper(
        "Beside the papers",
        (
            Result(
                "addition",
                "Spanish names: the whole training set",
                "named_entities",
                ("named_entities_all",),
                rows=("All: *",),
            ),
        ),
    ),
)


def as_objects(folder: Path | None = None) -> list[dict[str, Any]]:
    """The papers for JSON; with a folder, which data sets are missing in it."""
    return [
        {
            "paper": paper.citation,
            "results": [
                {
                    "place": result.place,
                    "shows": result.shows,
                    "experiment": result.experiment,
                    "rows": [row.name for row in result.chosen_rows()],
                    "tables": list(result.tables),
                    "drawn": result.drawn,
                    "data_sets": result.data_sets(),
                    "data_differences": result.data_differences(),
                    "missing": None if folder is None else result.missing_sets(folder),
                    "minutes": result.minutes() if result.experiment else None,
                    "why_not": result.why_not or None,
                }
                for result in paper.results
            ],
        }
        for paper in PAPERS
    ]
