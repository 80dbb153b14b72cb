"""What all tests share: the slow references on the import path, and how hypothesis runs.

By default examples are the same on every run; ``--hypothesis-profile=explore`` draws new ones, and more.
"""

import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))

_SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much]
settings.register_profile(
    "steady", deadline=None, max_examples=40, derandomize=True, suppress_health_check=_SLOW
)
settings.register_profile("explore", deadline=None, max_examples=1000, suppress_health_check=_SLOW)
settings.load_profile("steady")
