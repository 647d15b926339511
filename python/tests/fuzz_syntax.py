# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the standard library's own functions as kernels, in this process: fuzz_syntax.py [SECONDS [SEED [PACKAGE...]]]; with packages these and all of their modules.

Nearly all of them are refused. None may crash, or end in an error of Kiln's own."""

import importlib
import inspect
import pkgutil
import random
import sys
import time
import warnings

import numpy as np

from kiln import _kiln, cuda, errors

SKIPPED = {"antigravity", "this", "idlelib", "test", "tkinter", "turtledemo", "lib2to3", "__main__", "ensurepip", "turtle", "pip", "setuptools", "nanobind"}


def functions(module):
    for value in list(vars(module).values()):
        if inspect.isfunction(value) and value.__module__ == module.__name__:
            yield value
        elif inspect.isclass(value) and value.__module__ == module.__name__:
            yield from (member for member in vars(value).values() if inspect.isfunction(member))


def modules_of(packages):
    for name in packages:
        package = importlib.import_module(name)
        yield name
        for each in pkgutil.walk_packages(getattr(package, "__path__", ()), name + ".", onerror=lambda _: None):
            if not {"tests", "test", "__main__"} & set(each.name.split(".")):
                yield each.name


def main(seconds: float, seed: int, packages=()) -> int:
    rng = random.Random(seed)
    names = list(modules_of(packages)) or [name for name in sys.stdlib_module_names if name not in SKIPPED and not name.startswith("_")]
    rng.shuffle(names)
    number, array = _kiln.Type.number, _kiln.Type.array
    types = [number(name) for name in ("int64", "float32", "float64", "uint8", "bool", "complex128")]
    types += [array(number(name), *rest) for name, *rest in (("float32", 1, "C", False), ("int64", 2, "F", True), ("float64", 3, "A", False), ("bool", 0, "C", False))]
    types += [_kiln.type_of_value(value) for value in ((1, 2.5), (np.zeros(3), (1, 2)))]
    counts, wrong, end = {}, 0, time.monotonic() + seconds
    for name in names:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                module = importlib.import_module(name)
        except (Exception, SystemExit):
            continue
        for function in functions(module):
            if time.monotonic() > end:
                break
            count = function.__code__.co_argcount
            for device in (False, True):
                kernel = cuda.jit(wrapper(function, count) if device else function)
                try:
                    kernel._compile([rng.choice(types) for _ in range(count)])
                    said = "compiled"
                except errors.InternalError as error:
                    said, wrong = "internal error", wrong + 1
                    print(f"{name}.{function.__qualname__}: {error}")
                except errors.NumbaError as error:
                    said = type(error).__name__
                    if error.lineno is None and not isinstance(error, errors.SourceError):
                        wrong += 1
                        print(f"{name}.{function.__qualname__}: no place: {error}")
                except Exception as error:
                    said, wrong = type(error).__name__, wrong + 1
                    print(f"{name}.{function.__qualname__}: {type(error).__name__}: {error}")
                counts[said] = counts.get(said, 0) + 1
    print(", ".join(f"{count} {said}" for said, count in sorted(counts.items())))
    return wrong


def wrapper(function, count):
    """A kernel that calls `function`."""
    names = ", ".join(f"a{i}" for i in range(count))
    text = f"def kernel({names}):\n    function({names})\n"
    name = f"<fuzz {function.__module__}.{function.__qualname__}>"
    import kiln

    kiln.register_source(name, text)
    made = {"function": function}
    exec(compile(text, name, "exec"), made)
    return made["kernel"]


if __name__ == "__main__":
    sys.exit(1 if main(float(sys.argv[1]) if len(sys.argv) > 1 else 20, int(sys.argv[2]) if len(sys.argv) > 2 else 0, sys.argv[3:]) else 0)
