"""All experiments by name."""

from __future__ import annotations

from hedgerow_papers.experiments.experiment import Experiment
from hedgerow_papers.experiments.feature_selection import FeatureSelection
from hedgerow_papers.experiments.grammar import Grammar
from hedgerow_papers.experiments.learning_curves import LearningCurves
from hedgerow_papers.experiments.named_entities import NamedEntities
from hedgerow_papers.experiments.online_adult import OnlineAdult
from hedgerow_papers.experiments.online_questions import OnlineQuestions
from hedgerow_papers.experiments.online_srl import OnlineSrl
from hedgerow_papers.experiments.online_synthetic import OnlineSynthetic
from hedgerow_papers.experiments.parameter_choice import ParameterChoice
from hedgerow_papers.experiments.sampled_cuts_kernels import SampledCutsKernels
from hedgerow_papers.experiments.sampled_cuts_size import SampledCutsSize
from hedgerow_papers.experiments.single_pass import SinglePass
from hedgerow_papers.experiments.string_mapping import StringMappings
from hedgerow_papers.experiments.taxonomy import TaxonomyLosses
from hedgerow_papers.experiments.voted_rda import VotedRda

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        OnlineSynthetic(),
        OnlineAdult(),
        OnlineQuestions(),
        OnlineSrl(),
        SampledCutsKernels(),
        SampledCutsSize(),
        ParameterChoice(),
        SinglePass(),
        LearningCurves(),
        FeatureSelection(),
        VotedRda(),
        NamedEntities(),
        Grammar(),
        TaxonomyLosses(),
        StringMappings(),
    )
}
