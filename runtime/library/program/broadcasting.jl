# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/plots
# Arguments of dotted calls in programs, like Julia's broadcastable. Arrays, tuples, numbers and scalars stay as they
# are; other iterables are collected. `lazy_call` (domain.jl) calls __host_argument for each argument.

@inline __nest_kind(args...) = nothing             # programs with styles have another method
@inline __nest(kind, f, args) = Broadcasted{Nothing,Nothing,typeof(f),typeof(args)}(nothing, f, args, nothing)

const __Broadcasts = Union{Number,AbstractChar,AbstractArray,Tuple,Ref,Some,Broadcasted,OfType}
# For these a dotted call needs neither broadcastable nor a style (lib/programs/broadcasting.cpp).
const __Unstyled = Union{Number,AbstractChar,DenseArray,AbstractRange,Tuple,Ref,Some,Broadcasted{Nothing},OfType}
const __BroadcastScalar = Union{Symbol,AbstractString,Function,UndefInitializer,Nothing,RoundingMode,Missing,Val,Ptr,Type,Regex,Pair,IO,CartesianIndex,Enum,UniformScaling}
__host_argument(x::__Broadcasts) = x
__host_argument(x::__BroadcastScalar) = (y = broadcastable(x); y === x ? x : y)
function __host_argument(x)
    y = broadcastable(x)                           # a program's own method has precedence
    return y === x ? __collected_argument(x) : __host_argument(y)
end
__collected_argument(x::Union{AbstractDict,NamedTuple}) = throw(ArgumentError("broadcasting over dictionaries and `NamedTuple`s is reserved"))
__collected_argument(x) = !is_endless(x) && hasmethod(iterate, Tuple{typeof(x)}) ? collect(x) : throw(MethodError(length, (x,)))
