# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types of values in kernels, under Numba's names."""

from __future__ import annotations

from . import _kiln
from ._arguments import UNITS


class Type:
    """A type of values in kernels."""

    is_type = True

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(self.name)

    def __call__(self, *args):
        """A signature with this result, ``void(f4[:])``; of a number the value, ``float32(1)``."""
        if args and all(isinstance(arg, (Type, Signature)) for arg in args) or not args:
            return Signature(self, args)
        return self.cast_python_value(*args)

    def cast_python_value(self, *args):
        raise TypeError(f"{self} makes no values")


class Number(Type):
    """int8 to uint64, float16 to float64, complex64, complex128, boolean."""

    def __init__(self, name: str, kiln: str, typestr: str):
        super().__init__(name)
        self.kiln = kiln
        self.typestr = typestr

    @property
    def bitwidth(self) -> int:
        return 1 if self.typestr == "b1" else int(self.typestr[1:]) * 8

    @property
    def underlying_float(self):
        """Of a complex number: its parts' type."""
        return {"c8": float32, "c16": float64}[self.typestr]

    def __getitem__(self, index):
        return Array(self, *_layout(index))

    def cast_python_value(self, *args):
        import numpy

        return numpy.dtype(self.typestr).type(*args)

    def code(self) -> int:
        return _kiln.scalar_code(self.kiln)


def _layout(index):
    """(dimensions, layout) of f4[:, ::1]."""
    index = index if isinstance(index, tuple) else (index,)
    if not all(isinstance(i, slice) and i.start is None and i.stop is None and i.step in (None, 1) for i in index):
        raise KeyError(f"an array type is written T[:], T[:, :], T[::1]; not with {index}")
    if index[-1].step == 1 and all(i.step is None for i in index[:-1]):
        return len(index), "C"
    if index[0].step == 1 and all(i.step is None for i in index[1:]):
        return len(index), "F"
    if any(i.step for i in index):
        raise KeyError("one dimension at an end may be contiguous")
    return len(index), "A"


class Array(Type):
    """An array: its element type, number of dimensions and layout ('C', 'F' or 'A')."""

    def __init__(self, dtype, ndim: int, layout: str, readonly: bool = False, aligned: bool = True):
        super().__init__(f"array({dtype}, {ndim}d, {layout})")
        self.dtype, self.ndim, self.layout, self.mutable = dtype, ndim, layout, not readonly

    def code(self) -> int:
        return _kiln.array_code(self.dtype.kiln, self.ndim, self.layout, not self.mutable)


class Tuple(Type):
    """A tuple of values of any types."""

    def __init__(self, items):
        self.types = tuple(items)
        super().__init__(f"Tuple({', '.join(map(str, self.types))})")

    def code(self) -> int:
        return _kiln.tuple_code([item.code() for item in self.types])

    def __hash__(self) -> int:
        return hash(self.types)


class UniTuple(Tuple):
    """A tuple of `count` values of one type."""

    def __init__(self, dtype, count: int):
        super().__init__((dtype,) * count)
        self.name = f"UniTuple({dtype} x {count})"
        self.dtype, self.count = dtype, count


class Record(Type):
    """A record of NumPy's: an element of an array whose dtype has fields."""

    def __init__(self, dtype):
        self.dtype = dtype
        super().__init__(f"Record({', '.join(f'{name}[type={dtype.fields[name][0]};offset={dtype.fields[name][1]}]' for name in dtype.names)})")

    def __eq__(self, other) -> bool:
        return isinstance(other, Record) and self.dtype == other.dtype

    __hash__ = Type.__hash__

    @property
    def kiln(self) -> str:
        from . import _arguments

        return _arguments.element_type(self.dtype)

    def __getitem__(self, index):
        return Array(self, *_layout(index))

    def code(self) -> int:
        return _kiln.scalar_code(self.kiln)


class Text(Type):
    """A text of a fixed length: NumPy's dtypes ``U`` and ``S``."""

    def __init__(self, dtype):
        self.dtype = dtype
        super().__init__(f"[{'unichr' if dtype.kind == 'U' else 'char'} x {dtype.itemsize // (4 if dtype.kind == 'U' else 1)}]")

    @property
    def kiln(self) -> str:
        from . import _arguments

        return _arguments.element_type(self.dtype)

    def __getitem__(self, index):
        return Array(self, *_layout(index))

    def code(self) -> int:
        return _kiln.scalar_code(self.kiln)


class NestedArray(Type):
    """A field that is an array of a fixed shape."""

    def __init__(self, dtype, shape):
        self.dtype, self.shape = dtype, tuple(shape)
        super().__init__(f"nestedarray({dtype}, {self.shape})")


class CPointer(Type):
    """A pointer to values of a type, for functions of linked code."""

    def __init__(self, dtype):
        self.dtype = dtype
        super().__init__(f"{dtype}*")

    @property
    def kiln(self) -> str:
        return f"LLVMPtr{{{self.dtype.kiln},0}}"

    def code(self) -> int:
        return _kiln.scalar_code(self.kiln)


class NoneType(Type):
    """None, and what a function gives that returns nothing."""


class Signature:
    """Types of arguments, and of the result."""

    def __init__(self, return_type, args):
        self.return_type = return_type
        self.args = tuple(args)

    def __repr__(self) -> str:
        return f"({', '.join(map(str, self.args))}) -> {self.return_type}"

    def __eq__(self, other) -> bool:
        return isinstance(other, Signature) and (self.return_type, self.args) == (other.return_type, other.args)

    def __hash__(self) -> int:
        return hash((self.return_type, self.args))


int8 = i1 = Number("int8", "Int8", "i1")
int16 = i2 = short = Number("int16", "Int16", "i2")
int32 = i4 = intc = int_ = Number("int32", "Int32", "i4")
int64 = i8 = intp = long_ = longlong = Number("int64", "Int64", "i8")
int_ = int64
uint8 = u1 = byte = uchar = Number("uint8", "UInt8", "u1")
uint16 = u2 = ushort = Number("uint16", "UInt16", "u2")
uint32 = u4 = uintc = Number("uint32", "UInt32", "u4")
uint64 = u8 = uintp = ulong = ulonglong = uint = Number("uint64", "UInt64", "u8")
char = int8
size_t, ssize_t = uint64, int64
float16 = f2 = Number("float16", "Float16", "f2")
float32 = f4 = float_ = Number("float32", "Float32", "f4")
float64 = f8 = double = Number("float64", "Float64", "f8")
class _Bfloat16(Number):
    """bfloat16: NumPy's dtype of it is of the package ml_dtypes."""

    bitwidth = 16

    def cast_python_value(self, *args):
        return as_dtype(self).type(*args)


bfloat16 = _Bfloat16("bfloat16", "BFloat16", "bfloat16")
complex64 = c8 = Number("complex64", "ComplexF32", "c8")
complex128 = c16 = Number("complex128", "ComplexF64", "c16")
boolean = bool_ = b1 = bool8 = Number("bool", "Bool", "b1")
void = none = NoneType("none")


class _Time(Number):
    """A date or a difference of dates, of one unit of NumPy's: an integer of 64 bits."""

    bitwidth = 64

    def __init__(self, unit: str = "generic"):
        kind, letter, kiln = self._kinds
        if unit not in UNITS:
            raise ValueError(f"{kind} has no unit {unit!r}: there are {', '.join(UNITS)}")
        self.unit = unit
        text = "" if unit == "generic" else f"[{unit}]"
        super().__init__(kind + text, f"{kiln}{{:{UNITS[unit]}}}", f"{letter}8{text}")

    def cast_python_value(self, *args):
        import numpy

        return numpy.asarray(*args).astype(self.typestr)[()]


class NPDatetime(_Time):
    """datetime64 of a unit of NumPy's."""

    _kinds = ("datetime64", "M", "Date")


class NPTimedelta(_Time):
    """timedelta64 of a unit of NumPy's."""

    _kinds = ("timedelta64", "m", "Span")


NUMBERS = (int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, complex64, complex128, boolean)
# By what type_code of the library gives.
NUMBERS_BY_CODE = dict(enumerate((int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, boolean, complex64, complex128)))
NUMBERS_BY_CODE.update({first + rank: made(unit) for first, made in ((100, NPDatetime), (200, NPTimedelta)) for rank, unit in enumerate(UNITS, 1)})
signed_domain, unsigned_domain = frozenset((int8, int16, int32, int64)), frozenset((uint8, uint16, uint32, uint64))
integer_domain = signed_domain | unsigned_domain
real_domain, complex_domain = frozenset((float32, float64)), frozenset((complex64, complex128))
number_domain = real_domain | integer_domain | complex_domain
BY_KILN = {number.kiln: number for number in (*NUMBERS, bfloat16, *(made for code, made in NUMBERS_BY_CODE.items() if code >= 100))}
_NAMES = {name: value for name, value in list(globals().items()) if isinstance(value, Type)}
_NAMES.update({"Tuple": lambda *items: Tuple(items[0] if len(items) == 1 and isinstance(items[0], tuple) else items), "UniTuple": UniTuple, "Array": Array, "CPointer": CPointer, "NPDatetime": NPDatetime, "NPTimedelta": NPTimedelta})


def from_text(text: str):
    """The signature or the types that a text names: 'void(f4[:], i8)', 'f4[:], f4'."""
    made = eval(text, {"__builtins__": {}}, _NAMES)  # noqa: S307: names of types alone
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


def typeof(value) -> Type:
    """The type that a value has as an argument of a kernel."""
    return from_code_text(_kiln.describe_code(_kiln.code_of_value(value)))


def from_code_text(text: str) -> Type:
    """The type that a text of the engine's names."""
    if text.startswith("array("):
        inside, *rest = text[6:-1].rsplit(", readonly", 1)
        dtype, rank, layout = inside.rsplit(", ", 2)
        return Array(from_code_text(dtype), int(rank[:-1]), layout, bool(rest))
    if text.startswith("Tuple("):
        items, depth, current = [], 0, ""
        for c in text[6:-1]:
            depth += (c == "(") - (c == ")")
            if c == "," and depth == 0:
                items.append(current.strip())
                current = ""
            else:
                current += c
        if current.strip():
            items.append(current.strip())
        return Tuple(from_code_text(item) for item in items)
    if text.startswith("llvmptr{"):
        return CPointer(from_code_text(text[8:-3]))
    if text.startswith("text{"):
        from . import _arguments

        return Text(_arguments.RECORDS[text])
    if text.startswith("record{"):
        from . import _arguments

        return Record(_arguments.RECORDS[text])
    return next(number for number in BY_KILN.values() if number.name == text or number.kiln.lower() == text)


def from_dtype(dtype) -> Type:
    """The type of an element of this NumPy dtype: a number, or a record."""
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
        from ._arguments import element_type

        return BY_KILN[element_type(dtype)]
    found = next((number for number in NUMBERS if numpy.dtype(number.typestr) == dtype), None)
    if found is None:
        raise NotImplementedError(f"{dtype} is no type of kernels")
    return found


def as_dtype(type_):
    """The NumPy dtype of a type."""
    import numpy

    if isinstance(type_, (Record, Text)):
        return type_.dtype
    if isinstance(type_, NestedArray):
        return numpy.dtype((as_dtype(type_.dtype), type_.shape))
    if not isinstance(type_, Number):
        raise NotImplementedError(f"{type_} has no dtype")
    if type_ is bfloat16:
        try:
            import ml_dtypes
        except ImportError:
            raise ImportError("NumPy has no bfloat16 of its own: install ml_dtypes, or use arrays of PyTorch or CuPy") from None
        return numpy.dtype(ml_dtypes.bfloat16)
    return numpy.dtype(type_.typestr)
