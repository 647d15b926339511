# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Where a thread is in its launch. The raw values count from 0; these definitions read them from the executor of the
# native target, and each GPU target overlays them.

for (f, name) in ((:thread_idx_x, "extern kiln.thread_idx.x"), (:thread_idx_y, "extern kiln.thread_idx.y"), (:thread_idx_z, "extern kiln.thread_idx.z"),
    (:block_idx_x, "extern kiln.block_idx.x"), (:block_idx_y, "extern kiln.block_idx.y"), (:block_idx_z, "extern kiln.block_idx.z"),
    (:block_dim_x, "extern kiln.block_dim.x"), (:block_dim_y, "extern kiln.block_dim.y"), (:block_dim_z, "extern kiln.block_dim.z"),
    (:grid_dim_x, "extern kiln.grid_dim.x"), (:grid_dim_y, "extern kiln.grid_dim.y"), (:grid_dim_z, "extern kiln.grid_dim.z"))
    @eval @inline $f() = ccall($name, llvmcall, Int32, ())
end
@inline one_up(x::Int32) = add_int(x, trunc_int(Int32, 1))
@inline threadIdx_x() = one_up(thread_idx_x())
@inline threadIdx_y() = one_up(thread_idx_y())
@inline threadIdx_z() = one_up(thread_idx_z())
@inline blockIdx_x() = one_up(block_idx_x())
@inline blockIdx_y() = one_up(block_idx_y())
@inline blockIdx_z() = one_up(block_idx_z())
@inline threadIdx() = (x=one_up(thread_idx_x()), y=one_up(thread_idx_y()), z=one_up(thread_idx_z()))
@inline blockIdx() = (x=one_up(block_idx_x()), y=one_up(block_idx_y()), z=one_up(block_idx_z()))
@inline blockDim() = (x=block_dim_x(), y=block_dim_y(), z=block_dim_z())
@inline gridDim() = (x=grid_dim_x(), y=grid_dim_y(), z=grid_dim_z())
@inline blockDim_x() = block_dim_x()
@inline blockDim_y() = block_dim_y()
@inline blockDim_z() = block_dim_z()
@inline gridDim_x() = grid_dim_x()
@inline gridDim_y() = grid_dim_y()
@inline gridDim_z() = grid_dim_z()
@inline warpsize() = trunc_int(Int32, 32)
# A native block runs its threads in order: lanes are counted along the block.
@inline function laneid()
    linear = add_int(thread_idx_x(), mul_int(block_dim_x(), add_int(thread_idx_y(), mul_int(block_dim_y(), thread_idx_z()))))
    return one_up(and_int(linear, trunc_int(Int32, 31)))
end
const FULL_MASK = 0xffffffff

export threadIdx, blockIdx, blockDim, gridDim, warpsize, laneid, FULL_MASK
