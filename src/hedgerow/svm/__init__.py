"""Support vector machines on any kernel, trained in batch."""

from hedgerow.registry import Learner, public_names
from hedgerow.svm.cutting_plane import CuttingPlaneSVC as CuttingPlaneSVC
from hedgerow.svm.svc import SVC as SVC

LEARNERS = (Learner("svm", SVC), Learner("cutting-plane", CuttingPlaneSVC))

__all__ = public_names(__name__, globals())
