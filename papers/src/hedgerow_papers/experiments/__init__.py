"""Published experiments done again: ``hedgerow reproduce`` from Python."""

from hedgerow_papers.experiments.catalogue import EXPERIMENTS
from hedgerow_papers.experiments.experiment import Experiment, Layout, Measure, Row, Run, Settings
from hedgerow_papers.experiments.kept_runs import KeptRuns
from hedgerow_papers.experiments.plot import Line, Plot
from hedgerow_papers.experiments.running import Plan, number_of_runs, run_all, run_plans
from hedgerow_papers.experiments.summary import Cell, Table, summarise

__all__ = [
    "EXPERIMENTS",
    "Cell",
    "Experiment",
    "KeptRuns",
    "Layout",
    "Line",
    "Measure",
    "Plan",
    "Plot",
    "Row",
    "Run",
    "Settings",
    "Table",
    "number_of_runs",
    "run_all",
    "run_plans",
    "summarise",
]
