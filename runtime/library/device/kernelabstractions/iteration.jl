# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: KernelAbstractions; after: device/ir
# Module KernelAbstractions, first file: iteration spaces divided into groups, and the context, which is the hidden
# first argument of a @kernel function. A launch has one dimension of threads and groups; this file converts both to
# the iteration space's dimensions.

import CUDA: threadIdx, blockIdx, blockDim, gridDim, sync_threads, CuStaticSharedArray, CuDeviceArray, i32

module NDIteration
abstract type _Size end
struct DynamicSize <: _Size end
struct StaticSize{S} <: _Size end
@inline StaticSize(s::Tuple) = StaticSize{map(Int, s)}()
@inline StaticSize(s::Integer...) = StaticSize{map(Int, s)}()
@inline StaticSize(s::StaticSize) = s
@inline get(::Type{StaticSize{S}}) where {S} = S
@inline get(::StaticSize{S}) where {S} = S
@inline Base.length(::StaticSize{S}) where {S} = prod(S)
@inline Base.ndims(::StaticSize{S}) where {S} = length(S)
@inline Base.getindex(::StaticSize{S}, i::Int) where {S} = i <= length(S) ? S[i] : 1

struct DynamicCheck end
struct NoDynamicCheck end

# Box of all groups, and box of the items of a group. A constant size is in the type (StaticSize), other sizes are
# fields.
struct NDRange{N,StaticBlocks,StaticWorkitems,DynamicBlock,DynamicWorkitems}
    blocks::DynamicBlock
    workitems::DynamicWorkitems
end
@inline (::Type{NDRange{N,B,W}})() where {N,B,W} = NDRange{N,B,W,Nothing,Nothing}(nothing, nothing)
@inline (::Type{NDRange{N,B,W}})(blocks, workitems) where {N,B,W} = NDRange{N,B,W,typeof(blocks),typeof(workitems)}(blocks, workitems)
@inline workitems(r::NDRange{N,B,W}) where {N,B,W<:DynamicSize} = r.workitems
@inline workitems(r::NDRange{N,B,W}) where {N,B,W<:StaticSize} = CartesianIndices(get(W))
@inline blocks(r::NDRange{N,B}) where {N,B<:DynamicSize} = r.blocks
@inline blocks(r::NDRange{N,B}) where {N,B<:StaticSize} = CartesianIndices(get(B))
@inline Base.ndims(::NDRange{N}) where {N} = N
@inline Base.length(r::NDRange) = length(blocks(r))
@inline Base.iterate(r::NDRange) = iterate(blocks(r))
@inline Base.iterate(r::NDRange, state) = iterate(blocks(r), state)
@inline expand(r::NDRange{N}, group::CartesianIndex{N}, item::CartesianIndex{N}) where {N} = CartesianIndex(map(item_of_group, group.I, size(workitems(r)), item.I))
@inline item_of_group(group, size, item) = (group - 1) * size + item
@inline expand(r::NDRange, group::Integer, item::Integer) = @inbounds expand(r, blocks(r)[group], workitems(r)[item])
@inline expand(r::NDRange{N}, group::CartesianIndex{N}, item::Integer) where {N} = @inbounds expand(r, group, workitems(r)[item])
@inline expand(r::NDRange{N}, group::Integer, item::CartesianIndex{N}) where {N} = @inbounds expand(r, blocks(r)[group], item)

# Divides an iteration space into groups. Returns the number of groups, their size in all dimensions, and whether the
# last groups extend beyond `ndrange`.
@inline function partition(ndrange::Tuple, workgroupsize::Tuple)
    (blocks, size) = blocks_of(ndrange, workgroupsize)
    return blocks, size, map(*, blocks, size) == ndrange ? NoDynamicCheck() : DynamicCheck()
end
@inline function blocks_of(ndrange::Tuple, workgroupsize::Tuple)
    if length(workgroupsize) > length(ndrange)
        throw(ArgumentError("a work group has no more dimensions than the iteration space"))
    end
    size = ntuple(Base.Fix1(extent_or_one, workgroupsize), length(ndrange))
    return map(cld, ndrange, size), size
end
@inline extent_or_one(extents::Tuple, i) = i > length(extents) || extents[i] == 0 ? 1 : extents[i]

export _Size, DynamicSize, StaticSize, DynamicCheck, NoDynamicCheck, NDRange, workitems, blocks, expand
end

using .NDIteration

abstract type Context end

# Context of launches by KernelAbstractions.
struct CompilerMetadata{StaticNDRange,CheckBounds,I,NDRange,Iterspace} <: Context
    groupindex::I
    ndrange::NDRange
    iterspace::Iterspace
end
@inline (::Type{CompilerMetadata{R,C}})(ndrange::Tuple, space) where {R,C} = CompilerMetadata{R,C}(CartesianIndices(ndrange), space)
@inline (::Type{CompilerMetadata{R,C}})(ndrange, space) where {R,C} = CompilerMetadata{R,C,Nothing,typeof(ndrange),typeof(space)}(nothing, ndrange, space)
@inline __iterspace(ctx::CompilerMetadata) = ctx.iterspace
@inline __workitems_iterspace(ctx::CompilerMetadata) = workitems(ctx.iterspace)
@inline __groupsize(ctx::Context) = groupsize(ctx)
@inline __dynamic_checkbounds(::CompilerMetadata{R,C}) where {R,C} = C <: DynamicCheck
@inline __ndrange(::CompilerMetadata{R}) where {R<:StaticSize} = CartesianIndices(NDIteration.get(R))
@inline __ndrange(ctx::CompilerMetadata{R}) where {R<:DynamicSize} = ctx.ndrange
@inline groupsize(ctx::CompilerMetadata) = size(workitems(ctx.iterspace))
@inline ndrange(ctx::Context) = __ndrange(ctx)
@inline Base.ndims(ctx::CompilerMetadata) = ndims(ctx.iterspace)
@inline __index_Local_Linear(::CompilerMetadata) = threadIdx().x
@inline __index_Group_Linear(::CompilerMetadata) = blockIdx().x
@inline __index_Global_Linear(ctx::CompilerMetadata) = linear_in(size(__ndrange(ctx)), __index_Global_NTuple(ctx))
@inline __index_Local_Cartesian(ctx::CompilerMetadata) = @inbounds workitems(ctx.iterspace)[threadIdx().x]
@inline __index_Group_Cartesian(ctx::CompilerMetadata) = @inbounds blocks(ctx.iterspace)[blockIdx().x]
@inline __index_Global_Cartesian(ctx::CompilerMetadata) = expand(ctx.iterspace, blockIdx().x, threadIdx().x)
@inline __validindex(ctx::CompilerMetadata) = !__dynamic_checkbounds(ctx) || __index_Global_Cartesian(ctx) in __ndrange(ctx)
@inline linear_in(dims::Tuple, I::Tuple) = Base.offset_of(dims, I) + 1

# Context of a kernel that is launched by its own name, without an iteration space: the launch's three dimensions. All
# threads take part.
struct LaunchContext <: Context end
@inline Base.ndims(::LaunchContext) = 3
@inline ints(t) = (Int(t.x), Int(t.y), Int(t.z))
@inline groupsize(::LaunchContext) = ints(blockDim())
@inline __ndrange(::LaunchContext) = CartesianIndices(map(*, ints(gridDim()), ints(blockDim())))
@inline function linear_of(i, n)
    return (i.x - 1i32) + n.x * ((i.y - 1i32) + n.y * (i.z - 1i32)) + 1i32
end
@inline __index_Local_Linear(::LaunchContext) = linear_of(threadIdx(), blockDim())
@inline __index_Group_Linear(::LaunchContext) = linear_of(blockIdx(), gridDim())
@inline __index_Global_Linear(ctx::LaunchContext) = linear_in(map(*, ints(gridDim()), ints(blockDim())), __index_Global_NTuple(ctx))
@inline __index_Local_Cartesian(::LaunchContext) = CartesianIndex(ints(threadIdx()))
@inline __index_Group_Cartesian(::LaunchContext) = CartesianIndex(ints(blockIdx()))
@inline __index_Global_Cartesian(::LaunchContext) = CartesianIndex(map(NDIteration.item_of_group, ints(blockIdx()), ints(blockDim()), ints(threadIdx())))
@inline __validindex(::LaunchContext) = true

@inline __index_Local_NTuple(ctx) = Tuple(__index_Local_Cartesian(ctx))
@inline __index_Group_NTuple(ctx) = Tuple(__index_Group_Cartesian(ctx))
@inline __index_Global_NTuple(ctx) = Tuple(__index_Global_Cartesian(ctx))

# context(ndrange, workgroupsize) makes the context of a launch: groups of prod(workgroupsize) threads that cover the
# space `ndrange`. A StaticSize argument is a compile-time constant, a tuple a run-time value.
@inline context(ndrange, workgroupsize) = context_of(sized(ndrange), sized(workgroupsize))
@inline sized(s::NDIteration._Size) = s
@inline sized(n::Integer) = (Int(n),)
@inline sized(n::Tuple) = map(Int, n)
@inline function context_of(ndrange::Tuple, group::StaticSize)
    (blocks, size) = NDIteration.blocks_of(ndrange, NDIteration.get(group))
    space = NDRange{length(ndrange),DynamicSize,StaticSize{size}}(CartesianIndices(blocks), nothing)
    return CompilerMetadata{DynamicSize,DynamicCheck}(ndrange, space)
end
@inline function context_of(ndrange::Tuple, group::Tuple)
    (blocks, size) = NDIteration.blocks_of(ndrange, group)
    space = NDRange{length(ndrange),DynamicSize,DynamicSize}(CartesianIndices(blocks), CartesianIndices(size))
    return CompilerMetadata{DynamicSize,DynamicCheck}(ndrange, space)
end
@inline function context_of(ndrange::StaticSize, group::StaticSize)
    n = NDIteration.get(ndrange)
    (blocks, size, check) = NDIteration.partition(n, NDIteration.get(group))
    return CompilerMetadata{StaticSize{n},typeof(check)}(nothing, NDRange{length(n),StaticSize{blocks},StaticSize{size}}())
end
@inline launch_shape(ctx::CompilerMetadata) = (length(workitems(ctx.iterspace)), length(blocks(ctx.iterspace)))
