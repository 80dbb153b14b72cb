"""The independent checker."""

from maxmin.verify.best_response import Bound, best_response, exact_best_response

__all__ = ["Bound", "best_response", "exact_best_response"]
