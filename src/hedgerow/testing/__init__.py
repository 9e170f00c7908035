"""What every kernel, learner and structured problem promises, as checks of your own ones."""

from hedgerow.testing.kernels import check_kernel
from hedgerow.testing.learners import check_learner
from hedgerow.testing.problems import check_problem

__all__ = ["check_kernel", "check_learner", "check_problem"]
