# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""declare_device: declares linked functions, in CUDA C++, PTX or LLVM text, for kernels in Python."""

from __future__ import annotations

import linecache
import re

from .. import _types
from .._names import LinkedFunction
from ._stubs import function as _library

_CALLS = {(abi, is_void): _library(f"declared_{abi}{'_void' if is_void else ''}") for abi in ("numba", "c") for is_void in (False, True)}


class Declared(LinkedFunction):
    """A linked function, made by :func:`declare_device`.

    Attributes
    ----------
    name : str
        Its name in the linked code.
    sig : Signature
        The types of its arguments and of its result.
    link : tuple
        What kernels that call it are linked with.
    """

    def __init__(self, name, sig, link, abi):
        self.name = self.__name__ = name
        self.sig, self.link, self.abi = sig, link, abi
        self._function = None

    def __call__(self, *args):
        raise NotImplementedError(f"{self.name} is a function of linked code: kernels call it, the host cannot")

    def _kiln_constant_(self):
        for type_ in self.sig.args:
            if not isinstance(type_, (_types.Number, _types.CPointer)):
                return ("error", f"{self.name} is declared with an argument of type {type_}: linked functions take numbers and pointers, ffi.from_buffer(array)")
        result = self.sig.return_type
        if not isinstance(result, (_types.Number, _types.CPointer, _types.NoneType)):
            return ("error", f"{self.name} is declared with a result of type {result}: linked functions give numbers, pointers or nothing")
        if self._function is None:
            self._function = self._made()
        return ("function", self._function)

    def _made(self):
        """The function that kernels call: converts arguments to the declared types."""
        names = [f"a{k}" for k in range(len(self.sig.args))]
        given = [f"t{k}({name})" if isinstance(type_, _types.Number) else name for k, (name, type_) in enumerate(zip(names, self.sig.args))]
        result = self.sig.return_type
        is_void = isinstance(result, _types.NoneType)
        first = [repr(self.name)] + ([] if is_void else ["result"])
        text = f"def linked({', '.join(names)}):\n    return call({', '.join(first + given)})\n"
        scope = {"call": _CALLS[self.abi, is_void], "result": result, **{f"t{k}": type_ for k, type_ in enumerate(self.sig.args)}}
        file = f"<kiln declaration of {self.name} {id(self)}>"
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
        exec(compile(text, file, "exec"), scope)  # noqa: S102: the text above
        return scope["linked"]


def declare_device(name, sig, link=None, use_cooperative=False, abi="numba"):
    """Declares a linked function for kernels. Declare it before the kernels that call it.

    Parameters
    ----------
    name : str
        Its name in the linked code, ``extern "C"``.
    sig : Signature or text
        With the type of its result: ``"int32(int32, float32)"``. Arrays are passed as pointers, ``types.CPointer(float32)``.
    link : LinkableCode, path, or a list of these, optional
        The code. Kernels that call the function are linked with it; without it give it to the kernel, ``cuda.jit(link=[...])``.
    use_cooperative : bool, optional
        True is refused: launches of kernels that wait for their grid are told by ``cuda.cg.this_grid()`` alone.
    abi : {'numba', 'c'}, optional
        'numba': the function gets a pointer for its result before its arguments and returns 0. 'c': it returns its result.

    Returns
    -------
    Declared
    """
    if abi not in ("numba", "c"):
        raise NotImplementedError(f"Unsupported ABI: {abi}; there are 'numba' and 'c'")
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_$][\w$]*", name):
        raise ValueError(f"{name!r} is no name of a function in linked code")
    if use_cooperative:
        raise NotImplementedError("declare_device(use_cooperative=True): kernels wait for their grid by cuda.cg.this_grid().sync()")
    if isinstance(sig, str):
        sig = _types.from_text(sig)
    if not isinstance(sig, _types.Signature):
        raise TypeError(f"Return type must be provided for device declarations: {name} needs a signature such as 'int32(float32)', not {sig!r}")
    link = () if link is None else tuple(link) if isinstance(link, (list, tuple, set)) else (link,)
    LinkedFunction.are_any = True
    return Declared(name, sig, link, abi)
