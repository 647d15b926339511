# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/cooperative_groups
# Clusters of blocks, which run together and access each other's shared memory. By default, and on the CPU, each block
# is a cluster of its own; GPU targets overlay this file's functions.

@inline clusterIdx() = blockIdx()
@inline clusterDim() = newtuple_(Index3, 1i32, 1i32, 1i32)
@inline blockIdxInCluster() = newtuple_(Index3, 1i32, 1i32, 1i32)
@inline gridClusterDim() = gridDim()
@inline linearBlockIdxInCluster() = 1i32
@inline linearClusterSize() = 1i32

# cluster_wait returns when all threads of the cluster have called cluster_arrive. Arriving does not wait.
@inline cluster_arrive() = nothing
@inline cluster_arrive_relaxed() = nothing
@inline cluster_wait() = sync_threads()

# Address of `p` in the shared memory of the cluster's block `rank` (from 1, as linearBlockIdxInCluster counts).
@inline map_shared_rank(p::LLVMPtr{T,3}, rank::Integer) where {T} = pointer_cast(LLVMPtr{T,0}, p)
@inline CuDistributedSharedArray(A::CuDeviceArray{T,N,3}, rank::Integer) where {T,N} = CuDeviceArray{T,N,0}(map_shared_rank(pointer(A), rank), size(A))

# A launch with LaunchOptions::programmatic_serialization may start before the previous grid in the stream has ended.
# grid_dependency_synchronize waits until that grid has ended and its writes are visible.
# trigger_programmatic_launch_completion lets the next grid start. The CPU runs one grid after the other.
@inline grid_dependency_synchronize() = nothing
@inline trigger_programmatic_launch_completion() = nothing

export clusterIdx, clusterDim, blockIdxInCluster, gridClusterDim, linearBlockIdxInCluster, linearClusterSize
export cluster_arrive, cluster_arrive_relaxed, cluster_wait, CuDistributedSharedArray
