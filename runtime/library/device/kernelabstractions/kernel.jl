# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: KernelAbstractions; after: device/kernelabstractions/iteration
# Functions that macros in @kernel bodies call, and back-ends as types with their intrinsics.

@inline __synchronize() = sync_threads()
@inline SharedMemory(::Type{T}, ::Val{dims}) where {T,dims} = CuStaticSharedArray(T, dims)
@inline SharedMemory(::Type{T}, ::Val{dims}, id) where {T,dims} = CuStaticSharedArray(T, dims)
# @private memory of a thread. The number of elements is a compile-time constant.
@inline Scratchpad(ctx, ::Type{T}, ::Val{dims}) where {T,dims} = scratch(T, Val(Base.flat_indices(dims isa Tuple ? dims : (dims,))))
@inline scratch(::Type{T}, ::Val{dims}) where {T,dims} = CUDA.device_array(stack_alloc(T, Val(prod(dims))), dims)

# Arguments marked @Const: no thread may write to them while the kernel runs.
@inline constify(A::CuDeviceArray) = CUDA.Const(A)
@inline constify(x) = x

abstract type Backend end
abstract type GPU <: Backend end
struct CPU <: Backend
    static::Bool
end
@inline CPU(; static=false) = CPU(static)
struct CUDABackend <: GPU
    prefer_blocks::Bool
    always_inline::Bool
end
@inline CUDABackend(; prefer_blocks=false, always_inline=false) = CUDABackend(prefer_blocks, always_inline)
@inline get_backend(A::CuDeviceArray) = CUDABackend(false, false)

module KernelIntrinsics
import CUDA: threadIdx, blockIdx, blockDim, gridDim, sync_threads, CuStaticSharedArray
@inline xyz(t) = (x=Int(t.x), y=Int(t.y), z=Int(t.z))
@inline get_local_id() = xyz(threadIdx())
@inline get_group_id() = xyz(blockIdx())
@inline get_local_size() = xyz(blockDim())
@inline get_num_groups() = xyz(gridDim())
@inline get_global_size() = map(*, get_num_groups(), get_local_size())
@inline get_global_id() = map(item_of_group, get_group_id(), get_local_size(), get_local_id())
@inline item_of_group(group, size, item) = (group - 1) * size + item
@inline localmemory(::Type{T}, dims) where {T} = CuStaticSharedArray(T, dims)
@inline localmemory(::Type{T}, ::Val{dims}) where {T,dims} = CuStaticSharedArray(T, dims)
@inline barrier() = sync_threads()
end
const KI = KernelIntrinsics

export Context, LaunchContext, CompilerMetadata, Backend, GPU, CPU, CUDABackend, get_backend, KernelIntrinsics
