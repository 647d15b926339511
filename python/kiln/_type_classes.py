# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Classes of the types of values in kernels, under Numba's names; the types are in _types.py."""

from __future__ import annotations

from . import _kiln
from ._elements import UNITS, dtype_of, element_type

TYPE_CHECKING = False  # typing costs milliseconds to import
if TYPE_CHECKING:
    from typing import Any


class Type:
    """A type of values in kernels."""

    is_type = True

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(self.name)

    def __call__(self, *args: Any) -> Any:
        """A signature with this result, ``void(f4[:])``; of a number the value, ``float32(1)``."""
        if args and all(isinstance(arg, (Type, Signature)) for arg in args) or not args:
            return Signature(self, args)
        return self.cast_python_value(*args)

    def cast_python_value(self, *args):
        raise TypeError(f"{self} makes no values")

    @property
    def engine_type(self) -> _kiln.Type:
        """The type as the engine has it."""
        raise TypeError(f"{self} is no type of a kernel's argument")


class Number(Type):
    """A number: an :class:`Integer`, :class:`Float`, :class:`Complex` or :class:`Boolean`."""

    def __init__(self, name: str, typestr: str):
        super().__init__(name)
        self.typestr = typestr

    @property
    def bitwidth(self) -> int:
        return 1 if self.typestr == "b1" else int(self.typestr[1:]) * 8

    def __getitem__(self, index: Any) -> Array:
        return Array(self, *_layout(index))

    def cast_python_value(self, *args):
        import numpy

        return numpy.dtype(self.typestr).type(*args)

    @property
    def engine_type(self) -> _kiln.Type:
        return _kiln.Type.number(self.name)


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

    def __init__(self, dtype: Any, ndim: int, layout: str, readonly: bool = False, aligned: bool = True) -> None:
        super().__init__(f"array({dtype}, {ndim}d, {layout})")
        self.dtype, self.ndim, self.layout, self.mutable = dtype, ndim, layout, not readonly

    @property
    def engine_type(self) -> _kiln.Type:
        return _kiln.Type.array(self.dtype.engine_type, self.ndim, self.layout, not self.mutable)


class Tuple(Type):
    """A tuple of values of any types."""

    def __init__(self, items: Any) -> None:
        self.types = tuple(items)
        super().__init__(f"Tuple({', '.join(map(str, self.types))})")

    @property
    def engine_type(self) -> _kiln.Type:
        return _kiln.Type.plain_tuple([item.engine_type for item in self.types])

    def __hash__(self) -> int:
        return hash(self.types)


class UniTuple(Tuple):
    """A tuple of `count` values of one type."""

    def __init__(self, dtype: Any, count: int) -> None:
        super().__init__((dtype,) * count)
        self.name = f"UniTuple({dtype} x {count})"
        self.dtype, self.count = dtype, count


class Element(Type):
    """An element of an array, as its NumPy dtype has it."""

    dtype: Any

    @property
    def engine_type(self) -> _kiln.Type:
        return element_type(self.dtype)

    def __getitem__(self, index: Any) -> Array:
        return Array(self, *_layout(index))


class Record(Element):
    """A record of NumPy's: an element of an array whose dtype has fields."""

    def __init__(self, dtype):
        self.dtype = dtype
        super().__init__(f"Record({', '.join(f'{name}[type={dtype.fields[name][0]};offset={dtype.fields[name][1]}]' for name in dtype.names)})")

    def __eq__(self, other) -> bool:
        return isinstance(other, Record) and self.dtype == other.dtype

    __hash__ = Type.__hash__


class Text(Element):
    """A text of a fixed length: NumPy's dtypes ``U`` and ``S``."""

    def __init__(self, dtype):
        self.dtype = dtype
        super().__init__(f"[{'unichr' if dtype.kind == 'U' else 'char'} x {dtype.itemsize // (4 if dtype.kind == 'U' else 1)}]")


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
    def engine_type(self) -> _kiln.Type:
        return _kiln.Type.pointer(self.dtype.engine_type)


class NoneType(Type):
    """None, and what a function gives that returns nothing."""

    def __call__(self, *args: Any) -> Signature:
        """A signature with no result, ``void(f4[:])``."""
        return super().__call__(*args)


class Signature:
    """Types of arguments, and of the result."""

    def __init__(self, return_type: Any, args: Any) -> None:
        self.return_type = return_type
        self.args = tuple(args)

    def __repr__(self) -> str:
        return f"({', '.join(map(str, self.args))}) -> {self.return_type}"

    def __eq__(self, other) -> bool:
        return isinstance(other, Signature) and (self.return_type, self.args) == (other.return_type, other.args)

    def __hash__(self) -> int:
        return hash((self.return_type, self.args))


class Integer(Number):
    """int8 to uint64, by name: ``Integer("int32")``."""

    def __init__(self, name: str) -> None:
        bits = name.removeprefix("u").removeprefix("int")
        if name.removesuffix(bits) not in ("int", "uint") or bits not in ("8", "16", "32", "64"):
            raise ValueError(f"no integer type has the name {name!r}: there are int8 to int64 and uint8 to uint64")
        super().__init__(name, f"{name[0]}{int(bits) // 8}")

    signed = property(lambda self: self.typestr[0] == "i")
    minval = property(lambda self: -(1 << (self.bitwidth - 1)) if self.signed else 0)
    maxval = property(lambda self: (1 << (self.bitwidth - self.signed)) - 1)


class Float(Number):
    """float16 to float64, by name: ``Float("float32")``."""

    def __init__(self, name: str) -> None:
        bits = name.removeprefix("float")
        if name != "float" + bits or bits not in ("16", "32", "64"):
            raise ValueError(f"no type of floating point has the name {name!r}: there are float16, float32 and float64")
        super().__init__(name, f"f{int(bits) // 8}")


FLOAT32, FLOAT64 = Float("float32"), Float("float64")


class Complex(Number):
    """complex64 and complex128, by name and the type of their parts."""

    def __init__(self, name: str, underlying_float: Any = None) -> None:
        if name not in ("complex64", "complex128"):
            raise ValueError(f"no complex type has the name {name!r}: there are complex64 and complex128")
        super().__init__(name, "c8" if name == "complex64" else "c16")

    @property
    def underlying_float(self):
        """The type of the parts."""
        return FLOAT32 if self.typestr == "c8" else FLOAT64


class Boolean(Number):
    """True and False."""

    def __init__(self, name: str = "bool") -> None:
        super().__init__(name, "b1")

    @property
    def engine_type(self) -> _kiln.Type:
        return _kiln.Type.number("bool")


class _Bfloat16(Number):
    """bfloat16: NumPy's dtype of it is of the package ml_dtypes."""

    bitwidth = 16

    def cast_python_value(self, *args):
        return as_dtype(self).type(*args)


class _Time(Number):
    """A date or a difference of dates, of one unit of NumPy's: an integer of 64 bits."""

    bitwidth = 64

    def __init__(self, unit: str = "generic") -> None:
        kind, letter = self._kinds
        if unit not in UNITS:
            raise ValueError(f"{kind} has no unit {unit!r}: there are {', '.join(UNITS)}")
        self.unit = unit
        text = "" if unit == "generic" else f"[{unit}]"
        super().__init__(kind + text, f"{letter}8{text}")

    def cast_python_value(self, *args):
        import numpy

        return numpy.asarray(*args).astype(self.typestr)[()]


class NPDatetime(_Time):
    """datetime64 of a unit of NumPy's."""

    _kinds = ("datetime64", "M")

    @property
    def engine_type(self) -> _kiln.Type:
        return _kiln.Type.datetime(self.unit)


class NPTimedelta(_Time):
    """timedelta64 of a unit of NumPy's."""

    _kinds = ("timedelta64", "m")

    @property
    def engine_type(self) -> _kiln.Type:
        return _kiln.Type.timedelta(self.unit)


class VectorType(Type):
    """`num_elements` numbers of one type."""

    def __init__(self, base_type, num_elements: int):
        super().__init__(f"{base_type.name}x{num_elements}")
        self.base_type, self.dtype, self.num_elements = base_type, base_type, num_elements

    def __eq__(self, other) -> bool:  # equal under any alias
        return isinstance(other, VectorType) and self.name == other.name

    __hash__ = Type.__hash__
    attr_names = property(lambda self: tuple("xyzw"[: self.num_elements]))
    user_facing_object = property(lambda self: self)

    @property
    def engine_type(self) -> _kiln.Type:
        return _kiln.Type.vector(self.base_type.engine_type, self.num_elements)

    def __getitem__(self, index):
        return Array(self, *_layout(index))


def as_dtype(type_: Any) -> Any:
    """The NumPy dtype of a type."""
    import numpy

    if isinstance(type_, (Record, Text)):
        return type_.dtype
    if isinstance(type_, NestedArray):
        return numpy.dtype((as_dtype(type_.dtype), type_.shape))
    if not isinstance(type_, Number):
        raise NotImplementedError(f"{type_} has no dtype")
    return dtype_of(type_.engine_type)
