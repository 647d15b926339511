# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; when: AllocCache, uncached; after: program/cuda/modules
# GPUArrays' AllocCache: memory that `@cached` keeps when its expression ends, so that the next one with this cache
# gets it again. Keys are sizes in bytes.

module GPUArrays
import CUDA
import CUDA: DeviceBuffer, bytes_text

mutable struct AllocCache
    busy::Dict{Int,Vector{DeviceBuffer}}           # memory of the @cached expressions that run
    free::Dict{Int,Vector{DeviceBuffer}}           # memory for later ones
    AllocCache() = new(Dict{Int,Vector{DeviceBuffer}}(), Dict{Int,Vector{DeviceBuffer}}())
end
cache_in_use = nothing

# Called by the host for allocations while a cache is in use.
function CUDA.cached_memory(bytes::Int)
    cache = cache_in_use
    busy = get!(() -> DeviceBuffer[], cache.busy, bytes)
    free = get!(() -> DeviceBuffer[], cache.free, bytes)
    if isempty(free)
        memory = CUDA.__new_memory(bytes)
        CUDA.__set_cached(memory, true)
    else
        memory = pop!(free)
    end
    push!(busy, memory)
    return memory
end
# Makes allocations use a cache, or none (nothing). Returns the one that was in use.
function use_cache(cache)
    before = cache_in_use
    global cache_in_use = cache
    CUDA.__use_cache(cache !== nothing)
    return before
end
# Ends a @cached expression. If an outer one uses the same cache, the memory stays busy until that one ends.
function leave_cache(cache, before)
    use_cache(before)
    before === cache && return nothing
    for (bytes, busy) in cache.busy
        append!(cache.free[bytes], busy)
        empty!(busy)
    end
    return nothing
end
macro cached(cache, expression)
    (used, before) = (gensym(), gensym())
    return Expr(:block, Expr(:local, Expr(:(=), used, esc(cache))), Expr(:local, Expr(:(=), before, :(use_cache($used)))),
                Expr(:tryfinally, esc(expression), :(leave_cache($used, $before))))
end
macro uncached(expression)
    before = gensym()
    return Expr(:block, Expr(:local, Expr(:(=), before, :(use_cache(nothing)))), Expr(:tryfinally, esc(expression), :(use_cache($before))))
end
function CUDA.unsafe_free!(cache::AllocCache)
    all(isempty, values(cache.busy)) || error("cannot free an AllocCache inside of `@cached` with it: free it after the expression")
    for memories in values(cache.free), memory in memories
        CUDA.__set_cached(memory, false)
        CUDA.__free(memory)
    end
    empty!(cache.busy)
    empty!(cache.free)
    return nothing
end

num_memories(lists) = sum(length, values(lists); init=0)
Base.sizeof(cache::AllocCache) = sum(sum(sizeof, memories; init=0) for lists in (cache.free, cache.busy) for memories in values(lists); init=0)
Base.show(io::IO, cache::AllocCache) = print(io, "AllocCache(n_free=", num_memories(cache.free), ", n_busy=", num_memories(cache.busy), ", sizeof=", bytes_text(sizeof(cache)), ")")

# Properties of memory as GPUArrays' DataRef has them. All arrays in one memory share its one reference.
Base.sizeof(memory::DeviceBuffer) = CUDA.__memory_facts(memory)[1]
function Base.getproperty(memory::DeviceBuffer, name::Symbol)
    (_, freed, cached) = CUDA.__memory_facts(memory)
    name === :freed && return freed
    name === :cached && return cached
    name === :rc && return (count=Ref(freed ? 0 : 1),)
    error("memory of the device has no property `$name`: it has freed, cached and rc")
end
end
