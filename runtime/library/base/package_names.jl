# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; with: base/matrix_types; after: base/random
# Names of Base, Core and Random that packages extend or query when they are loaded. Their behaviour on the host is
# not implemented in this file.

if !isdefined(Base, :IO)                           # programs define their own
    abstract type IO end
    struct MIME{mime} end
end
@eval Core mutable struct Box
    contents
    Box(x) = new(x)
    Box() = new()
end
@eval Core struct OpaqueClosure{A,R}
end
struct LogicalIndex{T,A<:AbstractArray{Bool}} <: AbstractVector{T}
    mask::A
    sum::Int
end
if !isdefined(Base, :BigInt)                       # programs define their own
    abstract type BigFloat <: AbstractFloat end
    abstract type BigInt <: Signed end
end
if !isdefined(Base, :Slice)                        # programs define their own
    struct Slice{T<:AbstractUnitRange} <: AbstractUnitRange{Int}
        indices::T
    end
    @inline first(s::Slice) = first(s.indices)
    @inline last(s::Slice) = last(s.indices)
    @inline length(s::Slice) = length(s.indices)
    @inline viewindexing(I::Tuple{Slice,AbstractUnitRange,Vararg{ScalarIndex}}) = IndexLinear()
    @inline viewindexing(I::Tuple{Slice,Slice,Vararg{ScalarIndex}}) = IndexLinear()
    @inline viewindexing(I::Tuple{Slice,Slice,Vararg{Any}}) = viewindexing(tail(I))
end
if !isdefined(Base, :oneto)
    @inline oneto(n) = OneTo(n)
end
if !isdefined(Base, :DimOrInd)
    const DimOrInd = Union{Integer,AbstractUnitRange}
end
const Ordering = Order.Ordering
const FastContiguousSubArray{T,N,P,I<:Union{Tuple{Union{Slice,AbstractUnitRange},Vararg{Any}},Tuple{Vararg{ScalarIndex}}}} = SubArray{T,N,P,I,true}
if !isdefined(Base, :StridedArray)                 # programs define their own
    const StridedArray{T,N} = Union{DenseArray{T,N},SubArray{T,N,<:DenseArray},ReinterpretArray{T,N,S,<:DenseArray} where {S}}
    const StridedVector{T} = StridedArray{T,1}
    const StridedMatrix{T} = StridedArray{T,2}
    const StridedVecOrMat{T} = Union{StridedVector{T},StridedMatrix{T}}
end
const Indices{N} = NTuple{N,AbstractUnitRange}
const AdjointAbsVec{T} = Adjoint{T,<:AbstractVector}
const AdjointAbsMat{T} = Adjoint{T,<:AbstractMatrix}
const TransposeAbsVec{T} = Transpose{T,<:AbstractVector}
const TransposeAbsMat{T} = Transpose{T,<:AbstractMatrix}
const AdjOrTrans{T,S} = Union{Adjoint{T,S},Transpose{T,S}}
const AdjOrTransAbsVec{T} = AdjOrTrans{T,<:AbstractVector}
const AdjOrTransAbsMat{T} = AdjOrTrans{T,<:AbstractMatrix}
module LinearAlgebra
import Base: AdjointAbsVec, AdjointAbsMat, TransposeAbsVec, TransposeAbsMat, AdjOrTrans, AdjOrTransAbsVec, AdjOrTransAbsMat
end
module Docs
getdoc(x...) = nothing
end
@inline unsafe_indices(A) = axes(A)
abstract type IteratorSize end
struct SizeUnknown <: IteratorSize end
struct HasLength <: IteratorSize end
struct HasShape{N} <: IteratorSize end
struct IsInfinite <: IteratorSize end
abstract type IteratorEltype end
struct HasEltype <: IteratorEltype end
struct EltypeUnknown <: IteratorEltype end
@inline IteratorSize(x) = IteratorSize(typeof(x))
@inline IteratorSize(::Type{T}) where {T} = HasLength()
@inline IteratorSize(::Type{<:AbstractArray{T,N}}) where {T,N} = HasShape{N}()
module Iterators
import Base: HasShape, HasLength, SizeUnknown
flatten_iteratorsize(::Union{HasShape,HasLength}, ::Type{<:NTuple{N,Any}}) where {N} = HasLength()
flatten_iteratorsize(::Union{HasShape,HasLength}, ::Type{<:Tuple}) = SizeUnknown()
flatten_iteratorsize(::Union{HasShape,HasLength}, ::Type{<:Number}) = HasLength()
flatten_iteratorsize(a, b) = SizeUnknown()
end
@inline IteratorEltype(x) = IteratorEltype(typeof(x))
@inline IteratorEltype(::Type{T}) where {T} = HasEltype()
hastypemax(::Type{T}) where {T} = T <: BitInteger || T === Bool
depwarn(text, name; force=false) = nothing
function show end
function summary end
function showarg end
function read end
function read! end
function write end
function print end
function println end
@inline reduced_index(::OneTo{T}) where {T} = OneTo(one(T))
@inline reduced_index(r::AbstractUnitRange) = oftype(r, first(r):first(r))
reduced_indices(A, region) = reduced_indices(axes(A), region)
function reduced_indices(sides::Tuple, region)
    all(d -> d >= 1, region) || throw(ArgumentError("dimension must be ≥ 1"))
    return ntuple(k -> k in region ? reduced_index(sides[k]) : sides[k], length(sides))
end
function rdims end
function rdims_trailing end
function unsafe_view end
function dataids end
function elsize end
@inline cconvert(::Type{T}, x) where {T} = x isa T ? x : convert(T, x)
@inline cconvert(::Type{<:Ptr}, x) = x
function _reshape end
function _getindex end
function _setindex! end
function typed_vcat end
function typed_hcat end
function typed_hvcat end
function typed_hvncat end
function rotl90 end
function rotr90 end
function rot180 end
propertynames(x) = fieldnames(typeof(x))
@inline size_to_strides(step, n, sides...) = (step, size_to_strides(step * n, sides...)...)
@inline size_to_strides(step, n) = (step,)
@inline size_to_strides(step) = ()
function mapreduce_empty end
@inline reduce_first(op, x) = x
@inline reduce_first(::typeof(+), x::Bool) = Int(x)
@inline reduce_first(::typeof(add_sum), x::BitInt) = widen_sum(x)
@inline reduce_first(::typeof(mul_prod), x::BitInt) = widen_product(x)
@inline unwrapva(T) = T
@inline index_dimsum() = ()
@inline index_dimsum(::Union{Integer,CartesianIndex}, rest...) = index_dimsum(rest...)
@inline index_dimsum(::AbstractArray{T,N}, rest...) where {T,N} = (ntuple(Returns(true), Val(N))..., index_dimsum(rest...)...)
@inline index_dimsum(::AbstractArray{Bool}, rest...) = (true, index_dimsum(rest...)...)
@inline index_dimsum(i, rest...) = (true, index_dimsum(rest...)...)
@inline unsafe_convert(::Type{P}, p::Ptr) where {P<:Ptr} = pointer_cast(P, p)

@inline axes(x::Union{Number,AbstractChar,Ref}) = ()
# promote_type of an empty list of types is Union{}, which promotes to any other type.
@inline promote_type(::Type{Union{}}, ::Type{Union{}}) = Union{}
@inline promote_type(::Type{Union{}}, ::Type{T}) where {T} = T
@inline promote_type(::Type{Union{}}, ::Type{T}) where {T<:BitInt} = T
@inline promote_type(::Type{Union{}}, ::Type{T}) where {T<:BitInteger} = T
@inline promote_type(::Type{Union{}}, ::Type{T}) where {T<:AbstractFloat} = T
@inline isimmutable(x) = !ismutabletype(typeof(x))
*(a::String, b::String, rest::String...) = string(a, b, rest...)

module Sort
abstract type Algorithm end
struct InsertionSortAlg <: Algorithm end
struct QuickSortAlg <: Algorithm end
struct MergeSortAlg <: Algorithm end
const QuickSort = QuickSortAlg()
const InsertionSort = InsertionSortAlg()
const MergeSort = MergeSortAlg()
import Base: sort
function sortperm end
function defalg end
import Base.Order: lt
end
module Order
export Ordering, Forward, Reverse, By, Lt, Perm, ReverseOrdering, ForwardOrdering, lt, ord
struct Perm{O,V} <: Ordering
    order::O
    data::V
end
@inline lt(p::Perm, a::Integer, b::Integer) = lt(p.order, p.data[a], p.data[b]) || (!lt(p.order, p.data[b], p.data[a]) && a < b)
@inline ord(lt, by, rev::Nothing, order=Forward) = lt === isless ? (by === identity ? order : By(by, order)) : Lt(LessBy(lt, by))
@inline ord(lt, by, rev::Bool, order=Forward) = rev ? ReverseOrdering{typeof(ord(lt, by, nothing, order))}(ord(lt, by, nothing, order)) : ord(lt, by, nothing, order)
struct LessBy{L,B} <: Function
    lt::L
    by::B
end
@inline (f::LessBy)(a, b) = f.lt(f.by(a), f.by(b))
end
const QuickSort = Sort.QuickSort
const InsertionSort = Sort.InsertionSort
const MergeSort = Sort.MergeSort
const product = Iterators.product
for (bits, signed, unsigned) in ((32, (Int8, Int16, Int32), (UInt8, UInt16, UInt32)), (64, (Int8, Int16, Int32, Int64), (UInt8, UInt16, UInt32, UInt64)))
    for (kind, types) in (("Signed", signed), ("Unsigned", unsigned), ("Integer", (signed..., unsigned...)))
        @eval const $(Symbol("Bit", kind, bits, "_types")) = $types
        @eval const $(Symbol("Bit", kind, bits)) = Union{$(types...)}
    end
end
const BitSigned_types = (BitSigned64_types..., Int128)
const BitUnsigned_types = (BitUnsigned64_types..., UInt128)
const BitInteger_types = (BitSigned_types..., BitUnsigned_types...)
@inline typename(::Type{T}) where {T} = getfield(T, :name__)

module Random
struct SamplerTrivial{T,E} <: Sampler{E}
    self::T
end
@inline gentype(::Type{T}) where {T} = eltype(T)
@inline gentype(x) = eltype(typeof(x))
end

const BroadcastFunction = Broadcast.BroadcastFunction
const BroadcastStyle = Broadcast.BroadcastStyle
precompile(f, types, rest...) = true
include_dependency(path; rest...) = nothing
const Callable = Union{Function,Type}

module Experimental
register_error_hint(handler, type) = nothing
end
module MPFR
abstract type MPFRRoundingMode end
end
module FastMath
const FloatTypes = Union{Float16,Float32,Float64}
const ComplexTypes = Union{Complex{Float16},Complex{Float32},Complex{Float64}}
end
# How numbers of a type compare, and what their arithmetic does beyond the type's range.
abstract type OrderStyle end
struct Ordered <: OrderStyle end
struct Unordered <: OrderStyle end
abstract type ArithmeticStyle end
struct ArithmeticRounds <: ArithmeticStyle end
struct ArithmeticWraps <: ArithmeticStyle end
struct ArithmeticUnknown <: ArithmeticStyle end
@inline OrderStyle(x) = OrderStyle(typeof(x))
@inline ArithmeticStyle(x) = ArithmeticStyle(typeof(x))
@inline OrderStyle(::Type) = Unordered()
@inline OrderStyle(::Type{<:Union{Real,String,Symbol}}) = Ordered()
@inline OrderStyle(::Type{Union{}}) = Ordered()
@inline ArithmeticStyle(::Type) = ArithmeticUnknown()
@inline ArithmeticStyle(::Type{<:AbstractFloat}) = ArithmeticRounds()
@inline ArithmeticStyle(::Type{<:Integer}) = ArithmeticWraps()
module Math
@noinline nan_dom_err(out, x) = isnan(out) & !isnan(x) ? throw(DomainError(x, "NaN result for non-NaN input.")) : out
end
