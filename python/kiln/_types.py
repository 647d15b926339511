# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types of values in kernels, under Numba's names."""

from __future__ import annotations

from . import _kiln
from ._elements import UNITS, dtype_of, element_type
from ._type_classes import (  # noqa: F401
    Array, Boolean, Complex, CPointer, Float, Integer, NestedArray, NoneType, NPDatetime, NPTimedelta, Number, Record, Signature, Text, Tuple, Type, UniTuple, VectorType, _Bfloat16, _layout, as_dtype, FLOAT32, FLOAT64,
)  # fmt: skip

TYPE_CHECKING = False  # typing costs milliseconds to import
if TYPE_CHECKING:
    from typing import Any

int8 = i1 = char = Integer("int8")
int16 = i2 = short = Integer("int16")
int32 = i4 = intc = Integer("int32")
int64 = i8 = intp = int_ = long_ = longlong = ssize_t = Integer("int64")
uint8 = u1 = byte = uchar = Integer("uint8")
uint16 = u2 = ushort = Integer("uint16")
uint32 = u4 = uintc = Integer("uint32")
uint64 = u8 = uintp = ulong = ulonglong = uint = size_t = Integer("uint64")
float16 = f2 = Float("float16")
float32 = f4 = float_ = FLOAT32
float64 = f8 = double = FLOAT64
bfloat16 = _Bfloat16("bfloat16", "bfloat16")
complex64 = c8 = Complex("complex64")
complex128 = c16 = Complex("complex128")
boolean = bool_ = b1 = bool8 = Boolean()
void = none = NoneType("none")
# Types of host functions alone, which programs name in signatures of these.
unicode_type = string = Type("unicode_type")
pyobject, ellipsis = Type("pyobject"), Type("ellipsis")
voidptr = Type("void*")

NUMBERS = (int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, complex64, complex128, boolean)
# Number types by the code that py_type_code in python/library gives them.
NUMBERS_BY_CODE = dict(enumerate((int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, boolean, complex64, complex128)))
NUMBERS_BY_CODE.update({first + rank: made(unit) for first, made in ((100, NPDatetime), (200, NPTimedelta)) for rank, unit in enumerate(UNITS, 1)})
signed_domain, unsigned_domain = frozenset((int8, int16, int32, int64)), frozenset((uint8, uint16, uint32, uint64))
integer_domain = signed_domain | unsigned_domain
real_domain, complex_domain = frozenset((float32, float64)), frozenset((complex64, complex128))
number_domain = real_domain | integer_domain | complex_domain
_BY_ENGINE_TYPE = {made.engine_type: made for made in (*NUMBERS, bfloat16, *NUMBERS_BY_CODE.values())}
_NAMES = {name: value for name, value in list(globals().items()) if isinstance(value, Type)}
_NAMES.update({"Tuple": lambda *items: Tuple(items[0] if len(items) == 1 and isinstance(items[0], tuple) else items), "UniTuple": UniTuple, "Array": Array, "CPointer": CPointer, "NPDatetime": NPDatetime, "NPTimedelta": NPTimedelta})


def _host_type(name: str):
    def make(*items, **options):
        """A type of host functions alone, with the types of its items."""
        return Type(f"{name}({', '.join(map(str, items))})")

    return make


ListType, List, Set, DictType = map(_host_type, ("ListType", "reflected list", "reflected set", "DictType"))
Optional = optional = _host_type("Optional")


def from_text(text: str):
    """Parses the signature or types in a text: 'void(f4[:], i8)', 'f4[:], f4'."""
    made = eval(text, {"__builtins__": {}}, _NAMES)  # noqa: S307: the text can only use names of types
    return made


def arguments_of(signature) -> tuple:
    """The argument types of a signature in any spelling: text, Signature, tuple of types."""
    if isinstance(signature, str):
        signature = from_text(signature)
    if isinstance(signature, Signature):
        return signature.args
    if isinstance(signature, Type):
        return (signature,)
    if isinstance(signature, (tuple, list)):
        return tuple(from_text(item) if isinstance(item, str) else item for item in signature)
    raise TypeError(f"{signature!r} is no signature: write it as 'void(float32[:], int64)', or as a tuple of types")


def typeof(value: Any) -> Type:
    """The type of a value as a kernel argument."""
    return from_engine_type(_kiln.type_of_value(value))


def from_engine_type(type_: _kiln.Type) -> Type:
    """The type for one of the engine's, with Numba's name."""
    if (found := _BY_ENGINE_TYPE.get(type_)) is not None:
        return found
    return _FROM_KIND[type_.kind](type_)


def _from_array(type_):
    element, ndim, layout, readonly = type_.parameters
    return Array(from_engine_type(element), ndim, layout, readonly)


_FROM_KIND = {
    "array": _from_array,
    "plain_tuple": lambda type_: Tuple(from_engine_type(item) for _, item, _ in type_.fields),
    "named_tuple": lambda type_: Tuple(from_engine_type(item) for _, item, _ in type_.fields),
    "pointer": lambda type_: CPointer(from_engine_type(type_.parameters[0])),
    "vector": lambda type_: VectorType(from_engine_type(type_.parameters[0]), type_.parameters[1]),
    "text": lambda type_: Text(dtype_of(type_)),
    "record": lambda type_: Record(dtype_of(type_)),
    "nested": lambda type_: NestedArray(from_engine_type(type_.parameters[0]), type_.parameters[1]),
    "none": lambda _: none,
    "other": lambda type_: Type(type_.parameters[0]),
}


def from_dtype(dtype: Any) -> Type:
    """The element type for a NumPy dtype: a number, or a record."""
    import numpy

    if dtype is bfloat16:
        return dtype
    dtype = numpy.dtype(dtype)
    if dtype.fields:
        return Record(dtype)
    if dtype.name == "bfloat16":
        return bfloat16
    if dtype.kind in "US":
        return Text(dtype)
    if dtype.kind in "mM":
        return _BY_ENGINE_TYPE[element_type(dtype)]
    found = next((number for number in NUMBERS if numpy.dtype(number.typestr) == dtype), None)
    if found is None:
        raise NotImplementedError(f"{dtype} is no type of kernels")
    return found
