# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vector types of kernels: ``float32x4`` and CUDA's name for it, ``float4``, with the attributes x, y, z and w."""

from .. import _kiln, _types


_ALIASES = {
    "int8": ["char"], "int16": ["short"], "int32": ["int"], "int64": ["long", "longlong"], "uint8": ["uchar"], "uint16": ["ushort"], "uint32": ["uint"],
    "uint64": ["ulong", "ulonglong"], "float32": ["float"], "float64": ["double"],
}  # fmt: skip


class VectorType(_types.Type):
    """`num_elements` numbers of one type."""

    def __init__(self, base_type, num_elements: int):
        super().__init__(f"{base_type.name}x{num_elements}")
        self.base_type, self.dtype, self.num_elements = base_type, base_type, num_elements
        self.aliases = [f"{alias}{num_elements}" for alias in _ALIASES.get(base_type.name, ())]
        self.kiln = f"Vec{{{base_type.kiln}, {num_elements}}}"

    attr_names = property(lambda self: tuple("xyzw"[: self.num_elements]))
    user_facing_object = property(lambda self: self)
    __hash__ = _types.Type.__hash__

    def code(self) -> int:
        return _kiln.scalar_code(self.kiln)

    def __getitem__(self, index):
        return _types.Array(self, *_types._layout(index))


vector_types = {}
ALL = {}
for _name, _names in _ALIASES.items():
    for _count in (1, 2, 3, 4):
        _made = VectorType(getattr(_types, _name), _count)
        _kiln.register(_made, "type", _made.kiln, [])
        vector_types[_made.name] = ALL[_made.name] = _made
        for _alias in _names:
            ALL[f"{_alias}{_count}"] = _made
