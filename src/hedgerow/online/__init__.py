"""Learners that see one example at a time."""

from hedgerow.online.ahpatron import Ahpatron
from hedgerow.online.arow import AROW
from hedgerow.online.budget_perceptrons import RandomBudgetPerceptron, Stoptron
from hedgerow.online.custom import OnlineLearner, Rule
from hedgerow.online.forgetron import Forgetron
from hedgerow.online.ftrl import FTRL
from hedgerow.online.passive_aggressive import PassiveAggressive
from hedgerow.online.perceptron import Perceptron
from hedgerow.online.projectron import ForgetfulProjectron, Projectron, ProjectronPlusPlus
from hedgerow.online.romma import ROMMA
from hedgerow.online.scw import SCW
from hedgerow.online.trace import Trace

__all__ = [
    "AROW",
    "FTRL",
    "ROMMA",
    "SCW",
    "Ahpatron",
    "ForgetfulProjectron",
    "Forgetron",
    "OnlineLearner",
    "PassiveAggressive",
    "Perceptron",
    "Projectron",
    "ProjectronPlusPlus",
    "RandomBudgetPerceptron",
    "Rule",
    "Stoptron",
    "Trace",
]
