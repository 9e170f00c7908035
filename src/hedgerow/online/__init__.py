"""Learners that see one example at a time."""

from hedgerow.online.ahpatron import Ahpatron
from hedgerow.online.arow import AROW
from hedgerow.online.budget_perceptrons import RandomBudgetPerceptron, Stoptron
from hedgerow.online.custom import OnlineLearner, Rule
from hedgerow.online.feature_selection import ExtremalFeatureSelection
from hedgerow.online.fobos import FOBOS
from hedgerow.online.forgetron import Forgetron
from hedgerow.online.ftrl import FTRL
from hedgerow.online.passive_aggressive import PassiveAggressive
from hedgerow.online.perceptron import Perceptron
from hedgerow.online.projectron import ForgetfulProjectron, Projectron, ProjectronPlusPlus
from hedgerow.online.rda import RDA
from hedgerow.online.reranker import Reranker
from hedgerow.online.reranking import RerankingTrace
from hedgerow.online.romma import ROMMA
from hedgerow.online.scw import SCW
from hedgerow.online.trace import Trace
from hedgerow.online.truncated_gradient import TruncatedGradient
from hedgerow.online.winnow import BalancedWinnow, ModifiedBalancedWinnow, PositiveWinnow

__all__ = [
    "AROW",
    "FOBOS",
    "FTRL",
    "RDA",
    "ROMMA",
    "SCW",
    "Ahpatron",
    "BalancedWinnow",
    "ExtremalFeatureSelection",
    "ForgetfulProjectron",
    "Forgetron",
    "ModifiedBalancedWinnow",
    "OnlineLearner",
    "PassiveAggressive",
    "Perceptron",
    "PositiveWinnow",
    "Projectron",
    "ProjectronPlusPlus",
    "RandomBudgetPerceptron",
    "Reranker",
    "RerankingTrace",
    "Rule",
    "Stoptron",
    "Trace",
    "TruncatedGradient",
]
