"""All experiments by name."""

from __future__ import annotations

from hedgerow.experiments.experiment import Experiment
from hedgerow.experiments.feature_selection import FeatureSelection
from hedgerow.experiments.grammar import Grammar
from hedgerow.experiments.learning_curves import LearningCurves
from hedgerow.experiments.named_entities import NamedEntities
from hedgerow.experiments.online_adult import OnlineAdult
from hedgerow.experiments.online_questions import OnlineQuestions
from hedgerow.experiments.online_srl import OnlineSrl
from hedgerow.experiments.online_synthetic import OnlineSynthetic
from hedgerow.experiments.parameter_choice import ParameterChoice
from hedgerow.experiments.sampled_cuts_kernels import SampledCutsKernels
from hedgerow.experiments.sampled_cuts_size import SampledCutsSize
from hedgerow.experiments.single_pass import SinglePass
from hedgerow.experiments.string_mapping import StringMappings
from hedgerow.experiments.taxonomy import TaxonomyLosses
from hedgerow.experiments.voted_rda import VotedRda

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
