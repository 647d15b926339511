# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``numba.core``: :mod:`types`, :mod:`errors` and :mod:`config`. Numba's compiler has no counterpart here."""

from __future__ import annotations

import sys

from .. import _config as config, _types as types, errors as errors

__all__ = ["config", "errors", "types"]
for _name, _module in (("types", types), ("errors", errors), ("config", config)):
    sys.modules[f"{__name__}.{_name}"] = _module
