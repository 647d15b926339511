# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; overlay: program; after: program/broadcasting
# Overlay method table "program": host code of programs, interpreted or compiled, searches it before the common method
# table. Kernels return NaN where these methods throw; exceptions of kernels have a kind but no fields. Messages are
# Julia's. Code that only the interpreter can run is guarded by __is_interpreted().
const MachineFloat = Union{IEEEFloat,BFloat16} # other floats, of packages or the library, have methods of their own
__is_interpreted() = false                         # the host's function returns true
__said(parts...) = message_text(parts...)
kwerr(kw, f, args...) = __is_interpreted() ? throw(MethodError(Core.kwcall, (kw, f, args...))) : nothing
# An exception of compiled code has only a kind. These constructors pass its fields to the host, which makes the exception.
BoundsError(a::Union{Tuple,String}, i) = (exception_fields(a, i); BoundsError())
StringIndexError(s, i) = (exception_fields(s, i); StringIndexError())
DomainError(x) = (exception_fields(x); DomainError())
DomainError(x, msg) = (exception_fields(x, msg); DomainError())
InexactError(f, T, x) = (exception_fields(f, T, x); InexactError())

for P in (:Ptr, :LLVMPtr)
    @eval begin
        unsafe_load(p::$P) = __is_interpreted() ? __load_at(p, 1) : pointer_load(p, 0, Val(0))
        unsafe_load(p::$P, i::Integer) = __is_interpreted() ? __load_at(p, Int(i)) : pointer_load(p, Int(i) - 1, Val(0))
        unsafe_store!(p::$P, v) = unsafe_store!(p, v, 1)
        unsafe_store!(p::$P, v, i::Integer) = __is_interpreted() ? __store_at(p, v, Int(i)) : (pointer_store(p, convert(eltype(typeof(p)), v), Int(i) - 1, Val(0)); p)
    end
end

# @cuprint of host code. Texts are types, in which % is doubled.
CUDA._cuprint(parts...) = __is_interpreted() ? print(map(__printed, parts)...) : CUDA._cuprintf(Val(symbol_concat(map(CUDA.print_format, parts)...)), CUDA.print_values(parts...)...)
__printed(x) = x
__printed(::Val{text}) where {text} = replace(string(text), "%%" => "%")

# An assignment reads elements of its own destination before it writes them.
apart(A, source) = __is_apart(A, source) ? source : __copied_apart(A, source)
moves_back(A, B, i, j) = i > j && A === B

# Operators of two numbers without a method throw as in Julia. Kernels that have such a call do not compile.
function meeting_type(f, ::Type{T}, ::Type{S}) where {T,S}
    if T === S
        f in (+, -, *, /, ^, <, <=) && throw(ErrorException(__said(f, " not defined for ", T)))
        throw(MethodError(f, Tuple{T,S}))
    end
    R = promote_type(T, S)
    (T <: R && S <: R) || R === Union{} || return R # a common supertype changes neither
    throw(ErrorException(__said("promotion of types ", T, " and ", S, " failed to change any arguments")))
end
@noinline __complex_only(f, x) = throw(DomainError(x, __said(f, " was called with a negative real argument but will only return a complex result if called with a complex argument. Try ", f, "(Complex(x)).")))
@noinline __complex_below(f, x) = throw(DomainError(x, __said(f, " was called with a real argument < -1 but will only return a complex result if called with a complex argument. Try ", f, "(Complex(x)).")))
@noinline __outside(x, text) = throw(DomainError(x, text))
for T in (Float64, Float32, Float16, BFloat16)
    @eval sqrt(x::$T) = x < zero(x) ? __complex_only(:sqrt, x) : sqrt_llvm(x)
end
sqrt(x::Union{BitInt,Rational{<:BitInt},AbstractIrrational}) = sqrt(float(x))
for (f, single, double) in ((:log, "llvm.log.f32", "llvm.log.f64"), (:log2, "llvm.log2.f32", "llvm.log2.f64"), (:log10, "llvm.log10.f32", "llvm.log10.f64"))
    @eval begin
        $f(x::Float32) = x < 0.0f0 ? __complex_only($(QuoteNode(f)), x) : ccall($single, llvmcall, Float32, (Float32,), x)
        $f(x::Float64) = x < 0.0 ? __complex_only($(QuoteNode(f)), x) : ccall($double, llvmcall, Float64, (Float64,), x)
    end
end
log1p(x::Float32) = x < -1.0f0 ? __complex_below(:log1p, x) : ccall("extern log1pf", llvmcall, Float32, (Float32,), x)
log1p(x::Float64) = x < -1.0 ? __complex_below(:log1p, x) : ccall("extern log1p", llvmcall, Float64, (Float64,), x)
for (f, single, double, text) in ((:asin, "extern asinf", "extern asin", "asin(x) is not defined for |x| > 1."), (:acos, "extern acosf", "extern acos", "acos(x) is not defined for |x| > 1."),
    (:atanh, "extern atanhf", "extern atanh", "atanh(x) is only defined for |x| ≤ 1."))
    @eval begin
        $f(x::Float32) = abs(x) > 1.0f0 ? __outside(x, $text) : ccall($single, llvmcall, Float32, (Float32,), x)
        $f(x::Float64) = abs(x) > 1.0 ? __outside(x, $text) : ccall($double, llvmcall, Float64, (Float64,), x)
    end
end
acosh(x::Float32) = x < 1.0f0 ? __outside(x, "acosh(x) is only defined for x ≥ 1.") : ccall("extern acoshf", llvmcall, Float32, (Float32,), x)
acosh(x::Float64) = x < 1.0 ? __outside(x, "acosh(x) is only defined for x ≥ 1.") : ccall("extern acosh", llvmcall, Float64, (Float64,), x)
for (f, single, double, text) in ((:sin, "llvm.sin.f32", "llvm.sin.f64", "sin(x) is only defined for finite x."), (:cos, "llvm.cos.f32", "llvm.cos.f64", "cos(x) is only defined for finite x."),
    (:tan, "extern tanf", "extern tan", "tan(x) is only defined for finite x."))
    @eval begin
        $f(x::Float32) = isinf(x) ? __outside(x, $text) : ccall($single, llvmcall, Float32, (Float32,), x)
        $f(x::Float64) = isinf(x) ? __outside(x, $text) : ccall($double, llvmcall, Float64, (Float64,), x)
    end
end
@noinline __power_of_negative(x) = throw(DomainError(x, "Exponentiation yielding a complex result requires a complex argument.\nReplace x^y with (x+0im)^y, Complex(x)^y, or similar."))
^(x::T, y::T) where {T<:MachineFloat} = (x < zero(x)) & isfinite(x) & isfinite(y) && y != trunc(y) ? __power_of_negative(x) : pow(x, y)
@noinline function __negative_power(p)
    throw(DomainError(p, __said("Cannot raise an integer x to a negative power ", p, ".\nMake x or ", p, " a float by adding a zero decimal (e.g., 2.0^", p, " or 2^", float(p),
                                " instead of 2^", p, ") or write 1/x^", -p, ", float(x)^", p, ", x^float(", p, ") or (x//1)^", p, ".")))
end
function integer_power(x::T, p) where {T}
    if is_negative(p)
        x == one(T) && return x
        T <: Signed && x == rem(-1, T) && return isodd(p) ? x : one(T)
        return __negative_power(p)
    end
    return squaring_power(x, unsigned(p))
end
^(x::Bool, p::BitInteger) = is_negative(p) ? (x ? x : __negative_power(p)) : x | (p == zero(p))
function factorial(n::T) where {T<:BitInteger}
    is_negative(n) && throw(DomainError(n, "`n` must not be negative."))
    n > T(20) && throw(OverflowError(__said(n, " is too large to look up in the table; consider using `factorial(big(", n, "))` instead")))
    return product_to(n)
end
isqrt(x::Union{Int8,Int16,Int32,Int64}) = is_negative(x) ? __complex_only(:sqrt, float(x)) : __whole_root(x)
function __whole_root(x)
    r = unsafe_trunc(typeof(x), sqrt_llvm(Float64(x)))
    while widemul(r, r) > x
        r -= one(r)
    end
    while widemul(r + one(r), r + one(r)) <= x
        r += one(r)
    end
    return r
end
function invmod(n::Integer, m::Integer)
    (g, x, y) = gcdx(n, m)
    g == 1 || throw(DomainError((n, m), __said("Greatest common divisor is ", g, ".")))
    m == 0 && throw(DomainError(m, "`m` must not be 0."))
    return mod(x, m)
end

# ---- exceptions for results that a number type cannot represent
@noinline __inexact(f, T, x) = throw(InexactError(f, T, x))
function (::Type{T})(x::S) where {T<:BitInteger,S<:BitInteger}
    S === T && return x
    r = rem(x, T)
    rem(r, S) == x && is_negative(r) == is_negative(x) && return r
    return __inexact(sizeof_type(S) === sizeof_type(T) ? :convert : :trunc, T, x)
end
(::Type{T})(x::MachineFloat) where {T<:BitInteger} = trunc_llvm(x) == x ? whole_to_int(T, x) : __inexact(nameof(T), T, x)
function whole_to_int(::Type{T}, x::F) where {T<:BitInteger,F<:Union{Float64,Float32}}
    limit = int_limit_exact(F, T)
    lt_float(x, limit) & (T <: Signed ? le_float(neg_float(limit), x) : lt_float(sitofp(F, -1), x)) && return unsafe_trunc(T, x)
    return __inexact(nameof(T), T, x)
end
whole_to_int(::Type{Bool}, x::MachineFloat) = x == one(x) ? true : x == zero(x) ? false : __inexact(:Bool, Bool, x)
Bool(x::T) where {T<:BitInteger} = x == one(x) ? true : x == zero(x) ? false : __inexact(:Bool, Bool, x)

pointer_from_objref(x) = __is_interpreted() ? __ObjectPointer{Nothing}(x, 0) : object_pointer(x)
unset_ref(::Type{T}) where {T} = __is_interpreted() ? __unset_ref(T) : isbits_type(T) ? RefValue{T}(unset_value(T)) : static_error("compiled code has references to bits alone")

# ---- checked arithmetic
@noinline __overflow(x, op, y) = throw(OverflowError(__said(x, " ", op, " ", y, " overflowed for type ", typeof(x))))
for (f, op) in ((:add, :+), (:sub, :-), (:mul, :*))
    @eval function $(Symbol(:checked_, f))(x::T, y::T) where {T<:BitInteger}
        r = $(Symbol(f, :_with_overflow))(x, y)
        return r[2] ? __overflow(x, $(QuoteNode(op)), y) : r[1]
    end
end

Base.member_of(::Type{T}, x) where {T} = __member_of(T, x, Base.instances(T)...)
__member_of(T, x) = throw(ArgumentError(__said("invalid value for Enum ", T, ": ", x)))
__member_of(T, x, m, rest...) = m.value == x ? m : __member_of(T, x, rest...)
no_index(i) = throw(ArgumentError(__said("invalid index: ", i, " of type ", typeof(i))))

function meet_extent(m::Int, n::Int)
    m === n || n === 1 ? m : m === 1 ? n : __no_common_size(m, n)
end
@noinline __no_common_size(m, n) = throw(DimensionMismatch(__said("arrays could not be broadcast to a common size; got a dimension with lengths ", m, " and ", n)))
# Parts of a text: compiled code makes no strings.
__mismatch_parts(a::NTuple{N,Int}, b::NTuple{N,Int}) where {N} = (", mismatch at ", __first_difference(a, b))
__mismatch_parts(a, b) = ()
__first_difference(a, b) = first(a) == first(b) ? 1 + __first_difference(tail(a), tail(b)) : 1
__axes_parts(::Tuple{}) = ("()",)
__axes_parts(dims::Tuple{Int}) = ("(Base.OneTo(", first(dims), "),)")
__axes_parts(dims::Tuple) = ("(Base.OneTo(", first(dims), __more_axes_parts(tail(dims))...)
__more_axes_parts(::Tuple{}) = ("))",)
__more_axes_parts(dims) = ("), Base.OneTo(", first(dims), __more_axes_parts(tail(dims))...)

# typejoin is exact in the interpreter. In compiled code, types of which neither is a subtype of the other give Any.
typejoin(::Type{T}, ::Type{S}) where {T,S} = T === S ? T : T <: S ? S : S <: T ? T : __is_interpreted() ? __type_join(T, S) : Any
unrelated_type(T, S) = typejoin(T, S)
promote_typejoin(::Type{T}, ::Type{S}) where {T,S} = T === S ? T : __is_interpreted() ? __element_join(T, S) : typejoin(T, S)
# Inferred element type of a result, for empty arrays.
promote_op(f, types::Type...) = __is_interpreted() ? __inferred_result(f, types...) : return_type(f, types...)
function __type_of_call(f, args...)
    T = __result_type(f, args...)
    T === nothing ? Any : T
end

# ---- arrays and references of compiled code (compiled.jl, compiled_references.jl)
@inline __memory(A::Array{T,N}) where {T,N} = pointer_load_invariant(retype_scalars(Ptr{CUDA.CuDeviceArray{T,N,1}}, A), 0, Val{0}())
@inline __reference(x) = retype_scalars(Ptr{Nothing}, x)

# ---- arrays made by compiled code (compiled_arrays.jl): host memory that belongs to the call of that code
@noinline function __no_array(dims)
    all(d -> d >= 0, dims) || throw(ArgumentError("invalid Array dimensions"))
    throw(OutOfMemoryError())
end
@inline __dim(dims, k) = k <= nfields(dims) ? getfield(dims, k) : 0
@inline function __new_array(::Type{T}, dims::Tuple) where {T}
    __is_interpreted() && return undef_array(T, dims)
    isbitstype(T) || static_error("compiled code makes arrays of bits alone")
    nfields(dims) <= 4 || static_error("compiled code makes arrays of up to four dimensions")
    header = ccall("extern kiln_host_array", llvmcall, Ptr{Nothing}, (Int, Int, Int, Int, Int, Int), sizeof_type(T), nfields(dims),
                   __dim(dims, 1), __dim(dims, 2), __dim(dims, 3), __dim(dims, 4))
    pointer_to_int(header) === 0x0000000000000000 && __no_array(dims)
    return retype_scalars(Array{T,nfields(dims)}, header)
end

first_items(items, n) = collect(Iterators.take(items, checked_count(n)))
last_items(items, n) = last(collect(items), n)
first_items(v::AbstractVector, n) = v[begin:min(firstindex(v) + checked_count(n) - 1, end)]
last_items(v::AbstractVector, n) = v[max(lastindex(v) - checked_count(n) + 1, begin):end]

# ---- dictionaries and strings made by compiled code (compiled_references.jl)
@inline __make_dict(::Type{D}, by_identity::Bool) where {D} =
    retype_scalars(D, __checked_reference(ccall("extern kiln.reference.dict_make", llvmcall, Ptr{Nothing}, (Ptr{Nothing}, Bool), __type_key(D), by_identity)))
@inline __make_text(text, offset, size) =
    retype_scalars(String, __checked_reference(ccall("extern kiln.reference.text_part", llvmcall, Ptr{Nothing}, (Ptr{Nothing}, Int, Int), text, offset, size)))

# Byte of a string.
unit_at(s::String, k::Int) = ccall("extern kiln.string_unit", llvmcall, UInt8, (String, Int), s, k)
# Kernels have digits! alone.
digits(n::Integer) = __digit_list(Int, n, 10, 1)
digits(::Type{T}, n::Integer) where {T<:Integer} = __digit_list(T, n, 10, 1)
Core.kwcall(kw::NamedTuple, ::typeof(digits), n::Integer) = __digit_list(Int, n, Int(get(kw, :base, 10)), Int(get(kw, :pad, 1)))
Core.kwcall(kw::NamedTuple, ::typeof(digits), ::Type{T}, n::Integer) where {T<:Integer} = __digit_list(T, n, Int(get(kw, :base, 10)), Int(get(kw, :pad, 1)))
__digit_list(::Type{T}, n, base, pad) where {T} = digits!(zeros(T, ndigits(n; base=base, pad=pad)), n; base=base)
__digit_list(::Type{T}, n::Bool, base, pad) where {T} = __digit_list(T, Int(n), base, pad)
# Makes the text of an integer: string(n).
function __digits(n::T, base::Int, width::Int) where {T<:Union{Int8,Int16,Int32,Int64,UInt8,UInt16,UInt32,UInt64}}
    2 <= base <= 62 || throw(ArgumentError("string: the base is not between 2 and 62"))
    size = is_negative(n) ? 0x0000000000000000 - (n % UInt64) : n % UInt64
    return retype_scalars(String, __checked_reference(ccall("extern kiln.reference.integer_text", llvmcall, Ptr{Nothing}, (UInt64, Bool, Int, Int), size, is_negative(n), base, width)))
end

# ---- dotted calls (broadcasting.jl)
@inline lazy_call(f, args) = (b = map(__host_argument, args); __nest(__nest_kind(b...), f, b))

# ---- views: an index `:` is a Slice, as in Julia
view_index(A, d, ::Colon) = Slice(axes(A, d))
view_linear(::IndexLinear, A, ::Colon) = view_of(A, (Slice(OneTo(length(A))),))

# ---- array types that a program defines: indexing with ranges and lists (copies.jl)
index_ints(r::Union{AbstractRange,Colon,AbstractArray}) = (__PartIndex(r),)
get_flat(style, A, I::Tuple{__PartIndex,Vararg}) = __part_by_view(A, I)
get_flat(style, A, I::Tuple{Int,__PartIndex,Vararg}) = __part_by_view(A, I)
get_flat(style, A, I::Tuple{Int,Int,__PartIndex,Vararg}) = __part_by_view(A, I)
set_flat(style, A, v, I::Tuple{__PartIndex,Vararg}) = __set_part(A, v, I)
set_flat(style, A, v, I::Tuple{Int,__PartIndex,Vararg}) = __set_part(A, v, I)
set_flat(style, A, v, I::Tuple{Int,Int,__PartIndex,Vararg}) = __set_part(A, v, I)

# Classifies characters beyond Latin-1 with the host's Unicode tables (lib/programs/characters.cpp).
beyond_latin(f, c::Char) = __by_tables(f, c)
for (f, name) in ((:__to_upper, "upper"), (:__to_lower, "lower"))
    @eval $f(c::Char) = bitcast(Char, ccall($(string("extern kiln.string_", name)), llvmcall, UInt32, (UInt32,), bitcast(UInt32, c)))
end
for (f, name) in ((:__is_upper, "is_upper"), (:__is_lower, "is_lower"))
    @eval $f(c::Char) = ccall($(string("extern kiln.string_", name)), llvmcall, Bool, (UInt32,), bitcast(UInt32, c))
end
__category(c::Char) = ccall("extern kiln.string_category", llvmcall, Int, (UInt32,), bitcast(UInt32, c))
__by_tables(::typeof(uppercase), c) = __to_upper(c)
__by_tables(::typeof(lowercase), c) = __to_lower(c)
__by_tables(::typeof(isuppercase), c) = __is_upper(c)
__by_tables(::typeof(islowercase), c) = __is_lower(c)
__by_tables(::typeof(isletter), c) = 1 <= __category(c) <= 5
__by_tables(::typeof(isnumeric), c) = 9 <= __category(c) <= 11
__by_tables(::typeof(ispunct), c) = 12 <= __category(c) <= 18
__by_tables(::typeof(isprint), c) = 1 <= __category(c) <= 23

# Value of b in `a, b... = items`: the items from position i on.
rest_from(items::Array, i::Int) = items[i:end]
rest_from(r::AbstractRange, state) = Rest(r, state)
rest_from(r::AbstractRange, state::Int) = Rest(r, state)
rest_from(A::AbstractArray, i::Int) = rest(A, (eachindex(A), i - 1)) # a package may have its own, for Julia's state
rest_from(text::String, i::Int) = SubString(text, i)
