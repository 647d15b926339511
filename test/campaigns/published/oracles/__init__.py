# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Oracles of published programs: expected values that do not come from Kiln."""

from . import advent, algorithms, exercises, first_lessons, heat, tours  # noqa: F401
from .outputs import Output  # noqa: F401
from .registry import ORACLES  # noqa: F401
