"""A service that learns: predictions, feedback that is never lost, and everything can be undone.

``hedgerow serve`` starts one; it needs the extra ``serve``. The client needs nothing.
"""

from hedgerow.serve.client import Client, ServiceError
from hedgerow.serve.settings import Limits, Settings

__all__ = ["Client", "Limits", "ServiceError", "Settings"]
