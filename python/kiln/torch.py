# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as PyTorch operators: ``torch.compile`` and autograd see each one as a call."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, overload


def _check_setup(setup_context):
    """Checks the names that PyTorch passes by keyword. It would do so only in the first backward pass; this reports a wrong name at its definition."""
    for names in (("ctx", "inputs", "output"), ("ctx", "inputs", "keyword_only_inputs", "output")):
        try:
            return inspect.signature(setup_context).bind(**dict.fromkeys(names))
        except ValueError:  # a callable without a signature
            return None
        except TypeError:
            continue
    raise TypeError(
        f"setup_context{inspect.signature(setup_context)}: PyTorch calls it by keywords; name its parameters ctx, inputs, output"
        " (and keyword_only_inputs before output, where the operator has such)"
    )


@overload
def custom_op(name: str, *, mutates_args: Any, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]: ...
@overload
def custom_op(name: str, function: Callable[..., Any], *, mutates_args: Any, **options: Any) -> Callable[..., Any]: ...
def custom_op(name, function=None, *, mutates_args, device_types=None, schema=None, fake=None, setup_context=None, backward=None):
    """Makes a PyTorch operator from a function that launches kernels.

    It is ``torch.library.custom_op`` with what kernels need around it: tensors that take part in autograd come without their history, which DLPack
    asks for, and launches without a stream go into PyTorch's current one.

    Parameters
    ----------
    name : str
        ``"library::operator"``.
    function : callable, optional
        Launches the kernels; its annotations (``torch.Tensor``, ``float``, ...) say what the operator takes and gives. Without it: a decorator.
    mutates_args : iterable of str
        Parameters whose tensors the kernels write.
    device_types, schema : optional
        As ``torch.library.custom_op`` has them.
    fake : callable, optional
        The results for tensors without data: shapes and dtypes. An operator that returns nothing needs none.
    setup_context, backward : callable, optional
        The gradient, as ``register_autograd`` takes them: PyTorch calls ``setup_context(ctx=, inputs=, output=)`` by these names, with
        ``keyword_only_inputs=`` for an operator that has such.

    Returns
    -------
    torch.library.CustomOpDef
        It is called as the function is.

    Examples
    --------
    >>> @kiln.torch.custom_op("mine::scale", mutates_args=(), fake=lambda x, a: torch.empty_like(x))  # doctest: +SKIP
    ... def scale(x: torch.Tensor, a: float) -> torch.Tensor:
    ...     y = torch.empty_like(x)
    ...     scale_kernel[(x.numel() + 255) // 256, 256](y, x, a)
    ...     return y
    """
    import functools

    import torch

    if setup_context is not None:
        _check_setup(setup_context)

    def detached(value):
        return value.detach() if isinstance(value, torch.Tensor) and value.requires_grad else value

    def make(host):
        @functools.wraps(host)  # the operator's schema comes from its signature and annotations
        def run(*args, **kwargs):
            return host(*map(detached, args), **{key: detached(value) for key, value in kwargs.items()})

        more = {} if schema is None else {"schema": schema}
        made = torch.library.custom_op(name, run, mutates_args=mutates_args, device_types=device_types, **more)
        if fake is not None:
            made.register_fake(fake)
        if backward is not None:
            made.register_autograd(backward, setup_context=setup_context)
        return made

    return make if function is None else make(function)
