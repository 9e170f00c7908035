"""Learners that see one example at a time."""

from hedgerow.online.budget_perceptrons import Ahpatron as Ahpatron
from hedgerow.online.budget_perceptrons import Forgetron as Forgetron
from hedgerow.online.budget_perceptrons import RandomBudgetPerceptron as RandomBudgetPerceptron
from hedgerow.online.budget_perceptrons import Stoptron as Stoptron
from hedgerow.online.confidence import AROW as AROW
from hedgerow.online.confidence import SCW as SCW
from hedgerow.online.custom import OnlineLearner as OnlineLearner
from hedgerow.online.custom import Rule as Rule
from hedgerow.online.gradients import FOBOS as FOBOS
from hedgerow.online.gradients import FTRL as FTRL
from hedgerow.online.gradients import RDA as RDA
from hedgerow.online.gradients import TruncatedGradient as TruncatedGradient
from hedgerow.online.projectron import ForgetfulProjectron as ForgetfulProjectron
from hedgerow.online.projectron import Projectron as Projectron
from hedgerow.online.projectron import ProjectronPlusPlus as ProjectronPlusPlus
from hedgerow.online.reranker import Reranker as Reranker
from hedgerow.online.two_forms import ROMMA as ROMMA
from hedgerow.online.two_forms import PassiveAggressive as PassiveAggressive
from hedgerow.online.two_forms import Perceptron as Perceptron
from hedgerow.online.winnow import BalancedWinnow as BalancedWinnow
from hedgerow.online.winnow import ModifiedBalancedWinnow as ModifiedBalancedWinnow
from hedgerow.online.winnow import PositiveWinnow as PositiveWinnow
from hedgerow.online.winnow import RegretWinnow as RegretWinnow
from hedgerow.registry import Learner, public_names

LEARNERS = (
    Learner("perceptron", Perceptron),
    Learner("pa", PassiveAggressive),
    Learner("romma", ROMMA),
    Learner("stoptron", Stoptron),
    Learner("random-budget", RandomBudgetPerceptron),
    Learner("forgetron", Forgetron),
    Learner("projectron", Projectron),
    Learner("projectron++", ProjectronPlusPlus),
    Learner("forgetful-projectron", ForgetfulProjectron),
    Learner("ahpatron", Ahpatron),
    Learner("winnow", PositiveWinnow),
    Learner("regret-winnow", RegretWinnow),
    Learner("bw", BalancedWinnow),
    Learner("mbw", ModifiedBalancedWinnow),
    Learner("rda", RDA),
    Learner("vrda", RDA, update="mistakes"),
    Learner("adagrad-rda", RDA, adaptive=True),
    Learner("fobos", FOBOS),
    Learner("truncated-gradient", TruncatedGradient),
    Learner("ftrl", FTRL),
    Learner("arow", AROW),
    Learner("scw", SCW),
)
PROBLEMS = {"reranking": Reranker}  # structured ones that learners on weights learn, and how

__all__ = public_names(__name__, globals())
