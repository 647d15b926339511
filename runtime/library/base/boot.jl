# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base
# First file of the library: names of types, exceptions, the smallest functions, and conversion of types other than
# numbers. runtime/CMakeLists.txt gives the load order of this folder's files.

import CUDA # macros in Base expand to qualified names of module CUDA
import CUDA as CUDACore

const Int = Int64
const UInt = UInt64
const Cvoid = Nothing
const Cint = Int32
const Cuint = UInt32
const Clong = Int64
const Csize_t = UInt64
const Cfloat = Float32
const Cdouble = Float64

const BitSigned = Union{Int8,Int16,Int32,Int64,Int128}
const BitUnsigned = Union{UInt8,UInt16,UInt32,UInt64,UInt128}
const BitInteger = Union{BitSigned,BitUnsigned}    # excludes Bool
const BitInt = Union{Bool,BitInteger}
const HalfFloat = Union{Float16,BFloat16}
const IEEEFloat = Union{Float16,Float32,Float64}

abstract type Exception end
abstract type AbstractIrrational <: Real end
const AbstractVector{T} = AbstractArray{T,1}
const AbstractMatrix{T} = AbstractArray{T,2}
const AbstractVecOrMat{T} = Union{AbstractVector{T},AbstractMatrix{T}}
const Vector{T} = Array{T,1}
const Matrix{T} = Array{T,2}
const DenseVector{T} = DenseArray{T,1}
const DenseMatrix{T} = DenseArray{T,2}
const Dims{N} = NTuple{N,Int}
abstract type Ref{T} end
abstract type AbstractRange{T} <: AbstractArray{T,1} end
abstract type OrdinalRange{T,S} <: AbstractRange{T} end
abstract type AbstractUnitRange{T} <: OrdinalRange{T,T} end

struct Val{x} end
struct UndefInitializer end
const undef = UndefInitializer()
@inline Val(x) = Val{x}()

# ---- exceptions. They store only their kind, not the faulty values, since kernels have no memory for such values.
struct BoundsError <: Exception end
struct DivideError <: Exception end
struct InexactError <: Exception end
struct DomainError <: Exception end
struct UndefRefError <: Exception end
struct UndefKeywordError <: Exception
    var::Symbol
end
struct OutOfMemoryError <: Exception end
struct StackOverflowError <: Exception end
struct MethodError <: Exception end
struct TypeError <: Exception end
struct KeyError <: Exception end
struct ErrorException <: Exception
    msg::String
end
struct ArgumentError <: Exception
    msg::String
end
struct AssertionError <: Exception
    msg::String
end
struct OverflowError <: Exception
    msg::String
end
struct DimensionMismatch <: Exception
    msg::String
end
struct UndefVarError <: Exception
    var::Symbol
end
@inline BoundsError(a) = BoundsError()
@inline BoundsError(a, i) = BoundsError()
DomainError(x) = DomainError()
DomainError(x, msg) = DomainError()
InexactError(f, T, x) = InexactError()
KeyError(k) = KeyError()
AssertionError() = AssertionError("")
DimensionMismatch() = DimensionMismatch("")

@inline error(msg::String) = throw(ErrorException(msg))
@inline error(msg::String, rest...) = throw(ErrorException(msg))

# ---- identity and types
@inline identity(x) = x
@inline !==(x, y) = not_int(x === y)
@inline >:(x, y) = y <: x
const ≢ = !==
const ≡ = ===
@inline !(x::Bool) = not_int(x)
@inline (!)(f::Function) = ComposedFunction(!, f)
isnothing(x) = x === nothing
struct Some{T}
    value::T
end
something(x::Some, rest...) = x.value
something(x::Nothing, rest...) = something(rest...)
something(x, rest...) = x
something() = throw(ArgumentError("no argument is something"))
struct Missing end
const missing = Missing()
ismissing(x) = x === missing
coalesce() = missing
coalesce(x::Missing, rest...) = coalesce(rest...)
coalesce(x, rest...) = x
@inline sizeof(::Type{T}) where {T} = sizeof_type(T)
@inline sizeof(x) = sizeof_type(typeof(x))
isbitstype(::Type{T}) where {T} = isbits_type(T)
isbits(x) = isbits_type(typeof(x))
isconcretetype(::Type{T}) where {T} = isconcrete_type(T)
isabstracttype(::Type{T}) where {T} = getfield(T, :is_abstract__)
ismutabletype(::Type{T}) where {T} = ismutable_type(T)
supertype(::Type{T}) where {T} = supertype_(T)
fieldcount(::Type{T}) where {T} = fieldcount_(T)
fieldname(::Type{T}, i::Int) where {T} = T <: Tuple && 1 <= i <= fieldcount_(T) ? i : fieldname_(T, i)
fieldoffset(::Type{T}, i::Int) where {T} = fieldoffset_(T, i)
datatype_alignment(::Type{T}) where {T} = alignof_type(T)
@inline Symbol(parts...) = symbol_concat(parts...)
@inline message(parts...) = message_text(parts...) # message text of an exception; kernels do not build texts at run time
@inline nameof(x) = name_of(x)
@inline pointer_from_objref(x) = object_pointer(x)

@inline getproperty(x, name::Symbol) = getfield(x, name)
@inline getproperty(x::Tuple, i::Int) = getfield(x, i)
@inline setproperty!(x, name::Symbol, v) = setfield!(x, name, convert(fieldtype(typeof(x), name), v))
@inline setproperty!(x::Expr, name::Symbol, v) = setfield!(x, name, v) # fields head and args of an Expr, which are not declared fields

@inline convert(::Type{T}, x::T) where {T} = x
@inline convert(::Type{T}, x::T) where {T<:Number} = x
@inline convert(::Type{T}, x::Number) where {T<:Number} = T(x)
@inline convert(::Type{T}, x::T) where {T<:Tuple} = x
@inline convert(::Type{T}, x::Tuple) where {T<:Tuple} = convert_tuple(T, x)

# A VecElement: element of a hardware vector, which is a tuple of VecElements.
@inline VecElement(x) = newtuple_(VecElement{typeof(x)}, x)
@inline (::Type{VecElement{T}})(x) where {T} = newtuple_(VecElement{T}, convert(T, x))
@inline convert(::Type{VecElement{T}}, x::VecElement{T}) where {T} = x
@inline convert(::Type{VecElement{T}}, x) where {T} = VecElement{T}(x)

@inline typeassert_convert(::Type{T}, x) where {T} = typeassert(convert(T, x), T)
@inline splatted(x) = x                             # the items of f(x...)
@inline oftype(x, y) = convert(typeof(x), y)

# ---- functions as values
struct ComposedFunction{O,I} <: Function
    outer::O
    inner::I
end
@inline (c::ComposedFunction)(x...) = c.outer(c.inner(x...))
@inline ∘(f) = f
@inline ∘(f, g) = ComposedFunction(f, g)
@inline ∘(f, g, h...) = ∘(ComposedFunction(f, g), h...)
@inline |>(x, f) = f(x)
struct Fix1{F,T} <: Function
    f::F
    x::T
end
struct Fix2{F,T} <: Function
    f::F
    x::T
end
@inline (p::Fix1)(y) = p.f(p.x, y)
@inline (p::Fix2)(y) = p.f(y, p.x)
struct Returns{V} <: Function
    value::V
end
@inline (r::Returns)(args...) = r.value
@inline donotdelete(args...) = nothing
@inline inferencebarrier(x) = x
@inline promote_op(f, ::Type{A}) where {A} = return_type(f, A)
@inline promote_op(f, ::Type{A}, ::Type{B}) where {A,B} = return_type(f, A, B)
@inline applicable(f, args...) = applicable_(f, args...)

mutable struct RefValue{T} <: Ref{T}
    x::T
end
@inline Ref(x) = RefValue{typeof(x)}(x)
@inline (::Type{Ref{T}})(x) where {T} = RefValue{T}(convert(T, x))
@inline (::Type{Ref{T}})() where {T} = unset_ref(T)
@inline unset_ref(::Type{T}) where {T} = RefValue{T}(unset_value(T))
@inline (::Type{RefValue{T}})() where {T} = unset_ref(T)
# Initial content of a Ref{T}() without a value. Julia leaves it undefined; Kiln sets all bits to zero.
@inline unset_value(::Type{T}) where {T<:Number} = zero(T)
@inline function unset_value(::Type{T}) where {T}
    isbits_type(T) || static_error("a Ref in a kernel holds a value of an isbits type, which ", T, " is not")
    memory = stack_alloc(T, Val(1))
    bytes = pointer_cast(LLVMPtr{UInt8,5}, memory)
    for k in 0:sizeof_type(T)-1
        pointer_store(bytes, 0x00, k, Val(0))
    end
    return pointer_load(memory, 0, Val(0))
end
@inline getindex(r::RefValue) = r.x
@inline setindex!(r::RefValue{T}, v) where {T} = (setfield!(r, :x, convert(T, v)); r)

struct Pair{A,B}
    first::A
    second::B
end
@inline (=>)(a, b) = Pair(a, b)
@inline getindex(p::Pair, i::Integer) = getindex((p.first, p.second), i)
@inline length(p::Pair) = 2
@inline firstindex(p::Pair) = 1
@inline lastindex(p::Pair) = 2
@inline first(p::Pair) = p.first
@inline last(p::Pair) = p.second
@inline iterate(p::Pair, i::Int=1) = iterate((p.first, p.second), i)
@inline Tuple(p::Pair) = (p.first, p.second)
@inline eltype(::Type{Pair{A,B}}) where {A,B} = eltype(Tuple{A,B})
@inline reverse(p::Pair) = Pair(p.second, p.first)
@inline ==(p::Pair, q::Pair) = (p.first == q.first) & (p.second == q.second)
@inline isequal(p::Pair, q::Pair) = isequal(p.first, q.first) & isequal(p.second, q.second)
@inline isless(p::Pair, q::Pair) = isless(Tuple(p), Tuple(q))
@inline indexed_iterate(p::Pair, i::Int, state=1) = (getfield(p, i), i + 1)

# ---- Julia's compiler hints that have no effect in Kiln, and @inbounds of an argument list
@inline expect(x::Bool, wanted::Bool) = x
