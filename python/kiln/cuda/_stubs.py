# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of cuda in kernels. On the host these objects have only a name, which identifies them to the compiler."""

from __future__ import annotations

from .._names import Namespace, function, namespace, value


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
