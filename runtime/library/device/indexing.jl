# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/cache_hints
# Indices of a thread in its launch. The hardware counts from 0, Julia from 1. These definitions read values of the
# CPU executor; each GPU target overlays them.

const Index3 = NamedTuple{(:x, :y, :z),Tuple{Int32,Int32,Int32}}
for (f, x, y, z, first) in (
    (:threadIdx, "extern kiln.thread_idx.x", "extern kiln.thread_idx.y", "extern kiln.thread_idx.z", 1),
    (:blockIdx, "extern kiln.block_idx.x", "extern kiln.block_idx.y", "extern kiln.block_idx.z", 1),
    (:blockDim, "extern kiln.block_dim.x", "extern kiln.block_dim.y", "extern kiln.block_dim.z", 0),
    (:gridDim, "extern kiln.grid_dim.x", "extern kiln.grid_dim.y", "extern kiln.grid_dim.z", 0))
    @eval @inline function $f()
        a = ccall($x, llvmcall, Int32, ())
        b = ccall($y, llvmcall, Int32, ())
        c = ccall($z, llvmcall, Int32, ())
        d = trunc_int(Int32, $first)
        return newtuple_(Index3, add_int(a, d), add_int(b, d), add_int(c, d))
    end
end
for (g, f, axis) in (
    (:threadIdx_x, :threadIdx, 1), (:threadIdx_y, :threadIdx, 2), (:threadIdx_z, :threadIdx, 3),
    (:blockIdx_x, :blockIdx, 1), (:blockIdx_y, :blockIdx, 2), (:blockIdx_z, :blockIdx, 3),
    (:blockDim_x, :blockDim, 1), (:blockDim_y, :blockDim, 2), (:blockDim_z, :blockDim, 3),
    (:gridDim_x, :gridDim, 1), (:gridDim_y, :gridDim, 2), (:gridDim_z, :gridDim, 3))
    @eval @inline $g() = getfield($f(), $axis)
end
@inline warpsize() = trunc_int(Int32, 32)
# On the CPU, lanes are numbered along the threads of a block, which run in this order.
@inline function laneid()
    i = threadIdx()
    n = blockDim()
    linear = (i.x - 1i32) + n.x * ((i.y - 1i32) + n.y * (i.z - 1i32))
    return (linear & 31i32) + 1i32
end
const FULL_MASK = 0xffffffff

export threadIdx, blockIdx, blockDim, gridDim, warpsize, laneid, FULL_MASK
