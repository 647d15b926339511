# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of a kernel: Numba's keywords, and Kiln's own from the table of options."""

from __future__ import annotations

from . import _kiln

# Keyword options of Numba's decorators. _from_numba maps some to options of the table; the others are read where they
# are used.
_NUMBA = {
    "device", "inline", "forceinline", "link", "debug", "fastmath", "fma", "contract", "launch_bounds", "max_registers", "cache", "lineinfo", "opt", "extensions", "lto",
    "shared_memory_carveout", "boundscheck", "nopython", "abi", "abi_info", "chip", "target", "check", "output",
}  # fmt: skip

# Config options that are no keywords: the device or the decorator sets them.
_NOT_KEYWORDS = {"target", "arch", "features", "link", "hooks", "nested", "kernel", "no-kernel", "name"}

_table: dict[str, tuple[str, str, bool]] = {}


def table() -> dict[str, tuple[str, str, bool]]:
    """Keyword: (option name, its target or "", is a flag)."""
    if not _table:
        for name, target, is_flag in _kiln.config_options():
            if name not in _NOT_KEYWORDS:
                _table[name.replace("-", "_")] = name, target, is_flag
    return _table


def check_names(options) -> None:
    """Raises TypeError for the first unknown keyword."""
    for name in options:
        if name not in _NUMBA and name not in table():
            raise TypeError(_kiln.unknown_option(name, sorted(_NUMBA | set(table()))))


def _from_numba(options) -> dict:
    found = {"fastmath": bool(options.get("fastmath")), "g": 2 if options.get("debug") else 1, "O": 2 if options.get("opt", True) else 0}
    contract = options.get("contract", options.get("fma"))  # Numba's name is fma
    if contract is not None:
        found["contract"] = contract if isinstance(contract, str) else "on" if contract else "off"
    if options.get("max_registers"):
        found["maxregs"] = int(options["max_registers"])
    bounds = options.get("launch_bounds")
    if bounds is not None:
        bounds = (bounds,) if isinstance(bounds, int) else tuple(bounds)
        if not 1 <= len(bounds) <= 3:
            raise ValueError(f"Got {len(bounds)} launch bounds: there are the threads of a block, the blocks of a multiprocessor and those of a cluster")
        if int(bounds[0]):
            found["maxthreads"] = int(bounds[0])
        if len(bounds) > 1:
            found["minblocks"] = int(bounds[1])
    return found


def _json(value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(map(_json, value)) + "]"
    raise TypeError(f"an option is True, False, a whole number, text or a tuple of numbers, not {value!r}")


def as_json(options) -> dict:
    """Arguments for Dispatcher: config options for both kinds of device, and ``debug``."""
    found = _from_numba(options)
    for keyword, (name, _, _) in table().items():
        if keyword in options and keyword not in _NUMBA:
            found[name] = options[keyword]
    checked = options.get("check")
    on_cpu = {**found, "check": bool(options.get("debug") if checked is None else checked)}
    kinds = {"on_gpu": ("ptx", found), "on_cpu": ("native", on_cpu)}
    targets = {name: target for name, target, _ in table().values()}
    made = {
        kind: "{" + ", ".join(f'"{name}": {_json(value)}' for name, value in given.items() if targets[name] in ("", of_kind)) + "}" for kind, (of_kind, given) in kinds.items()
    }
    return {**made, "debug": bool(options.get("debug"))}
