"""Support vector machines on any kernel, trained in batch."""

from hedgerow.svm.cutting_plane import CuttingPlaneSVC
from hedgerow.svm.svc import SVC
from hedgerow.svm.trace import CuttingPlaneTrace

__all__ = ["SVC", "CuttingPlaneSVC", "CuttingPlaneTrace"]
