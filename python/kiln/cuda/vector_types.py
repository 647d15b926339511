# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vector types of kernels: ``float32x4`` and CUDA's name for it, ``float4``, with the attributes x, y, z and w."""

from .. import _kiln, _types
from .._types import VectorType


_ALIASES = {
    "int8": ["char"], "int16": ["short"], "int32": ["int"], "int64": ["long", "longlong"], "uint8": ["uchar"], "uint16": ["ushort"], "uint32": ["uint"],
    "uint64": ["ulong", "ulonglong"], "float32": ["float"], "float64": ["double"],
}  # fmt: skip


vector_types = {}
ALL = {}
for _name, _names in _ALIASES.items():
    for _count in (1, 2, 3, 4):
        _made = VectorType(getattr(_types, _name), _count)
        _made.aliases = [f"{_alias}{_count}" for _alias in _names]
        _kiln.register_type(_made, _made.engine_type)
        vector_types[_made.name] = ALL[_made.name] = _made
        for _alias in _names:
            ALL[f"{_alias}{_count}"] = _made
