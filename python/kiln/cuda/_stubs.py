# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels name of cuda. On the host these objects only have a name: the compiler knows them by it."""

from __future__ import annotations

from .. import _kiln


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
    _kiln.register(made, "function", library or name.replace(".", "_"), list(parameters))
    return made


def value(name: str, library: str | None = None) -> Stub:
    """The same, called without arguments where it is named."""
    made = Stub(name)
    _kiln.register(made, "property", library or name.replace(".", "_"), [])
    return made


def namespace(name: str, **members) -> Namespace:
    made = Namespace(name)
    for key, member in members.items():
        setattr(made, key, member)
    _kiln.register(made, "namespace", name, [])
    return made


def _axes(name: str) -> Namespace:
    return namespace(name, **{axis: value(f"{name}.{axis}") for axis in "xyz"})


threadIdx, blockIdx, blockDim, gridDim = map(_axes, ("threadIdx", "blockIdx", "blockDim", "gridDim"))
laneid, warpsize = value("laneid"), value("warpsize")
grid = function("grid", parameters=["ndim"])
gridsize = function("gridsize", parameters=["ndim"])
syncthreads, syncwarp = function("syncthreads"), function("syncwarp", parameters=["mask"])
syncthreads_count, syncthreads_and, syncthreads_or = (function(f"syncthreads_{name}") for name in ("count", "and", "or"))
threadfence, threadfence_block, threadfence_system = (function(name) for name in ("threadfence", "threadfence_block", "threadfence_system"))
nanosleep = function("nanosleep")
shared = namespace("shared", array=function("shared.array", parameters=["shape", "dtype", "alignment"]))
local = namespace("local", array=function("local.array", parameters=["shape", "dtype", "alignment"]))
const = namespace("const", array_like=function("const.array_like"))
atomic = namespace(
    "atomic",
    **{name: function(f"atomic.{name}", parameters=["ary", "idx", "val"]) for name in "add sub and_ or_ xor exch inc dec max min nanmax nanmin".split()},
    cas=function("atomic.cas", parameters=["ary", "idx", "old", "val"]),
    compare_and_swap=function("atomic.compare_and_swap", parameters=["ary", "old", "val"]),
)
shfl_sync = function("shfl_sync", parameters=["mask", "value", "src_lane"])
shfl_up_sync, shfl_down_sync, shfl_xor_sync = (function(f"shfl_{name}_sync", parameters=["mask", "value", "delta"]) for name in ("up", "down", "xor"))
all_sync, any_sync, eq_sync, ballot_sync = (function(f"{name}_sync", parameters=["mask", "predicate"]) for name in ("all", "any", "eq", "ballot"))
match_any_sync, match_all_sync = (function(f"match_{name}_sync", parameters=["mask", "value"]) for name in ("any", "all"))
activemask, lanemask_lt = function("activemask"), function("lanemask_lt")
popc, brev, clz, ffs = (function(name) for name in ("popc", "brev", "clz", "ffs"))
fma, selp = function("fma"), function("selp")
ldca, ldcg, ldcs, ldlu, ldcv = (function(name) for name in ("ldca", "ldcg", "ldcs", "ldlu", "ldcv"))
stcg, stcs, stwb, stwt = (function(name) for name in ("stcg", "stcs", "stwb", "stwt"))
cbrt = function("cbrt")
cg = namespace("cg", this_grid=function("cg.this_grid"), this_thread_block=function("cg.this_thread_block"))
_HALF = """hadd hsub hmul hdiv hfma hneg habs heq hne hlt hle hgt hge hmax hmin hsin hcos hlog hlog2 hlog10 hexp hexp2 hexp10 hsqrt hrsqrt hrcp hfloor hceil hrint
htrunc"""
fp16 = namespace("fp16", **{name: function(f"fp16.{name}", name) for name in _HALF.split()})
literal_unroll = function("literal_unroll")
carray = function("carray", parameters=["ptr", "shape", "dtype"])
farray = function("farray", parameters=["ptr", "shape", "dtype"])
