# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/launches
# Functions behind the names kiln.thread_idx.x, kiln.barrier and others in an embedder's LLVM IR
# (lib/pipeline/ir_functions.cpp). They return the target's thread indices and call its barrier; targets may overlay
# them. Indices count from 0, as in hardware.

for (g, f, axis, first) in (
    (:ir_thread_idx_x, :threadIdx, 1, 1), (:ir_thread_idx_y, :threadIdx, 2, 1), (:ir_thread_idx_z, :threadIdx, 3, 1),
    (:ir_block_idx_x, :blockIdx, 1, 1), (:ir_block_idx_y, :blockIdx, 2, 1), (:ir_block_idx_z, :blockIdx, 3, 1),
    (:ir_block_dim_x, :blockDim, 1, 0), (:ir_block_dim_y, :blockDim, 2, 0), (:ir_block_dim_z, :blockDim, 3, 0),
    (:ir_grid_dim_x, :gridDim, 1, 0), (:ir_grid_dim_y, :gridDim, 2, 0), (:ir_grid_dim_z, :gridDim, 3, 0))
    @eval @inline $g() = sub_int(getfield($f(), $axis), trunc_int(Int32, $first))
end
@inline function ir_barrier()
    sync_threads()
    return
end
