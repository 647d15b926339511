# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Maps Python objects to their meaning in kernels: builtins, math, cmath, operator, NumPy, and stubs without host code."""

from __future__ import annotations

import builtins
import cmath
import math
import operator
import sys

from . import _kiln, _types

_BUILTINS = ["abs", "min", "max", "len", "range", "int", "float", "bool", "complex", "round", "pow", "divmod", "enumerate", "zip", "reversed", "sum", "print", "all", "any", "slice", "tuple"]  # fmt: skip
_MATH = """sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf erfc gamma lgamma floor ceil trunc
fabs atan2 hypot copysign fmod remainder nextafter isnan isinf isfinite radians degrees ldexp frexp modf gcd isclose cbrt""".split()
_CMATH = "sqrt exp log log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh isnan isinf isfinite phase polar rect".split()
_ARRAY = "all any sum prod mean var std min max argmin argmax nanmin nanmax nansum nanprod nanmean nanvar nanstd amin amax median count_nonzero".split()
_OPERATOR = """add sub mul truediv floordiv mod pow lshift rshift and_ or_ xor invert neg pos eq ne lt le gt ge getitem setitem""".split()
# Names of NumPy's ufuncs: functions of numbers and, with an output array, of arrays (library/ufuncs.jl). A ufunc that
# the library renames has the library's name here.
_UFUNCS1 = """sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh floor ceil trunc rint fabs cbrt radians degrees negative positive absolute sign
square reciprocal conjugate invert logical_not isnan isinf isfinite signbit""".split()
_UFUNCS2 = """add subtract multiply true_divide floor_divide remainder fmod power arctan2 hypot copysign nextafter gcd bitwise_and bitwise_or bitwise_xor left_shift
right_shift less less_equal equal not_equal greater greater_equal maximum minimum fmax fmin logical_and logical_or logical_xor""".split()
_UFUNC_ALIASES = {
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh", "deg2rad": "radians", "rad2deg": "degrees",
    "abs": "absolute", "bitwise_not": "invert", "divide": "true_divide", "mod": "remainder",
}  # fmt: skip
_NUMPY = {"where": "where", "clip": "clip", "real": "real", "imag": "imag", "round": "rint", "isnat": "np_isnat"}
_NUMPY_TYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128", "bool_"]


def register(value, name: str, kind: str = "function", parameters=()) -> None:
    """Registers `value` as the function or property `name` of the library."""
    _kiln.register(value, kind, name, list(parameters))


class Stub:
    """A function of kernels."""

    def __init__(self, name: str, doc: str = ""):
        self.__name__ = self.__qualname__ = name
        self.__doc__ = doc or None

    def __repr__(self) -> str:
        return f"cuda.{self.__name__}"

    def __call__(self, *args, **kwargs):
        raise NotImplementedError(f"cuda.{self.__name__} is for kernels: it cannot be called on the host")


class Namespace:
    """Functions of kernels under one name."""

    _kiln_namespace_ = True

    def __init__(self, name: str):
        self.__name__ = name

    def __repr__(self) -> str:
        return f"cuda.{self.__name__}"


def function(name: str, library: str | None = None, parameters=(), doc: str = "") -> Stub:
    """A function `library` of python/library, which kernels call as ``cuda.<name>``."""
    made = Stub(name, doc)
    register(made, library or name.replace(".", "_"), parameters=parameters)
    return made


def value(name: str, library: str | None = None) -> Stub:
    """A property: a function that is called without arguments where it is named."""
    made = Stub(name)
    register(made, library or name.replace(".", "_"), "property")
    return made


def namespace(name: str, **members) -> Namespace:
    made = Namespace(name)
    for key, member in members.items():
        setattr(made, key, member)
    register(made, name, "namespace")
    return made


class LinkedFunction:
    """A function of linked code that kernels call; `link` is the code."""

    are_any = False  # true once a linked function is declared; until then, kernels are not searched for them
    link: tuple = ()


def register_numpy() -> None:
    """Registers NumPy's names, once it is loaded."""
    global _has_numpy
    register_ml_dtypes()
    numpy = sys.modules.get("numpy")
    if numpy is None or _has_numpy or not hasattr(numpy, "ndarray"):
        return
    _has_numpy = True
    for name, library in _NUMPY.items():
        if hasattr(numpy, name):
            register(getattr(numpy, name), library)
    for name in _ARRAY:
        if hasattr(numpy, name):
            register(getattr(numpy, name), "np_" + name)
    for name in (*_UFUNCS1, *_UFUNCS2, *_UFUNC_ALIASES):
        library = _UFUNC_ALIASES.get(name, name)
        register(getattr(numpy, name), "np_" + library, parameters=["x1", "x2", "out"] if library in _UFUNCS2 else ["x", "out"])
    for name in _NUMPY_TYPES:
        number = next(n for n in _types.NUMBERS if n.name == name.rstrip("_"))
        _kiln.register_type(getattr(numpy, name), number.engine_type)


def register_ml_dtypes() -> None:
    """Registers ml_dtypes' names, once it is loaded."""
    global _has_ml_dtypes
    ml_dtypes = sys.modules.get("ml_dtypes")
    if ml_dtypes is not None and not _has_ml_dtypes and hasattr(ml_dtypes, "bfloat16"):
        _has_ml_dtypes = True
        _kiln.register_type(ml_dtypes.bfloat16, _types.bfloat16.engine_type)


_has_numpy = _has_ml_dtypes = False
for _name in _BUILTINS:
    register(getattr(builtins, _name), _name)
register(builtins.print, "print")
register(builtins.enumerate, "enumerate", parameters=["iterable", "start"])
register(builtins.round, "round", parameters=["number", "ndigits"])
for _name in _MATH:
    if hasattr(math, _name):
        register(getattr(math, _name), _name)
for _name in _CMATH:
    register(getattr(cmath, _name), "cmath_" + _name)
register(math.pow, "math_pow")
register(math.isclose, "isclose", parameters=["a", "b", "rel_tol", "abs_tol"])
for _name in _OPERATOR:
    register(getattr(operator, _name), _name)
register(operator.truth, "truth")
register(operator.is_, "is")
register(operator.is_not, "is_not")
for _number in (*_types.NUMBERS, _types.bfloat16):
    _kiln.register_type(_number, _number.engine_type)
