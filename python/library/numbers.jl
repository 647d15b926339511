# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Numbers with Numba's types. Two integers compute as 64 bits, signed if one of them is signed. float32 with an integer
# of up to 16 bits signed or 8 bits unsigned stays float32; other mixes with floats give float64. Signed sums,
# differences and products must not overflow.
module Python

import CUDA

struct Dots end                                     # ...

const SInt = Union{Int8,Int16,Int32,Int64}
const UInts = Union{UInt8,UInt16,UInt32,UInt64}
const AnyInt = Union{Bool,SInt,UInts}
const AnyFloat = Union{Float16,Float32,Float64}
const AnyReal = Union{AnyInt,AnyFloat}
const ComplexF32 = Complex{Float32}
const ComplexF64 = Complex{Float64}
const AnyNumber = Union{AnyReal,ComplexF32,ComplexF64}
const Enter = Union{Bool,UInts}                     # zero-extended

# ---- casts
@inline i64(x::Int64) = x
@inline i64(x::UInt64) = bitcast(Int64, x)
@inline i64(x::Union{Int8,Int16,Int32}) = sext_int(Int64, x)
@inline i64(x::Union{Bool,UInt8,UInt16,UInt32}) = zext_int(Int64, x)
@inline u64(x) = bitcast(UInt64, i64(x))

@inline cast(::Type{T}, x::T) where {T} = x
@inline cast(::Type{Bool}, x::Bool) = x
@inline cast(::Type{Bool}, x) = py_truth(x)
@inline cast(::Type{T}, x::T) where {T<:AnyInt} = x
for T in (:Int8, :Int16, :Int32, :Int64, :UInt8, :UInt16, :UInt32, :UInt64)
    @eval begin
        @inline cast(::Type{$T}, x::$T) = x
        @inline cast(::Type{$T}, x::AnyInt) = cut($T, i64(x))
        @inline cast(::Type{$T}, x::Union{Float32,Float64}) = from_float($T, x)
        @inline cast(::Type{$T}, x::Float16) = from_float($T, fpext(Float32, x))
    end
end
@inline cut(::Type{Int64}, x::Int64) = x
@inline cut(::Type{UInt64}, x::Int64) = bitcast(UInt64, x)
@inline cut(::Type{T}, x::Int64) where {T} = trunc_int(T, x)
@inline from_float(::Type{T}, x) where {T<:SInt} = fptosi(T, x)
@inline from_float(::Type{UInt64}, x) = fptoui(UInt64, x)
@inline from_float(::Type{T}, x) where {T<:UInts} = trunc_int(T, fptosi(Int64, x))
for T in (:Float16, :Float32, :Float64)
    @eval begin
        @inline cast(::Type{$T}, x::$T) = x
        @inline cast(::Type{$T}, x::SInt) = sitofp($T, x)
        @inline cast(::Type{$T}, x::Enter) = uitofp($T, x)
    end
end
@inline cast(::Type{Float16}, x::Bool) = sitofp(Float16, i64(x))
@inline cast(::Type{Float32}, x::Bool) = sitofp(Float32, i64(x))
@inline cast(::Type{Float64}, x::Bool) = sitofp(Float64, i64(x))
@inline cast(::Type{Float16}, x::Float32) = fptrunc(Float16, x)
# Converts through a Float32 that is rounded to odd, because not every CPU converts directly. The second rounding is
# then correct for the original value.
@inline function cast(::Type{Float16}, x::Float64)
    y = fptrunc(Float32, x)
    z = fpext(Float64, y)
    b = bitcast(UInt32, y)
    if (lt_float(z, x) || lt_float(x, z)) && and_int(b, 0x00000001) === 0x00000000
        b = lt_float(abs_float(x), abs_float(z)) ? sub_int(b, 0x00000001) : add_int(b, 0x00000001)
    end
    return fptrunc(Float16, bitcast(Float32, b))
end
@inline cast(::Type{Float32}, x::Float16) = fpext(Float32, x)
@inline cast(::Type{Float32}, x::Float64) = fptrunc(Float32, x)
@inline cast(::Type{Float64}, x::Union{Float16,Float32}) = fpext(Float64, x)
@inline cast(::Type{Complex{T}}, x::Complex{T}) where {T} = x
@inline cast(::Type{Complex{T}}, x::AnyReal) where {T} = Complex{T}(cast(T, x), cast(T, false))
@inline cast(::Type{Complex{T}}, x::Complex) where {T} = Complex{T}(cast(T, getfield(x, :re)), cast(T, getfield(x, :im)))
@inline cast(::Type{T}, x::Tuple) where {T<:Tuple} = cast_tuple(T, x, Val(1))
@inline cast_tuple(::Type{T}, x::Tuple, ::Val{k}) where {T,k} =
    k > nfields(x) ? () : (cast(fieldtype(T, k), getfield(x, k)), cast_tuple(T, x, Val(k + 1))...)
# Converts a value to the type of a variable in which several types meet (join.cpp).
@inline py_convert(::Type{T}, x::T) where {T} = x
@inline py_convert(::Type{T}, x) where {T} = cast(T, x)

# ---- truth
@inline py_truth(x::Bool) = x
@inline py_truth(x::Union{SInt,UInts}) = ne_int(x, cut(typeof(x), 0))
@inline py_truth(x::AnyFloat) = ne_float(x, cast(typeof(x), 0))
@inline py_truth(x::Complex) = or_int(py_truth(getfield(x, :re)), py_truth(getfield(x, :im)))
@inline py_truth(x::Nothing) = false
@inline py_truth(x::Tuple) = nfields(x) !== 0
@inline py_truth(::Val{S}) where {S} = S !== Symbol("")
@inline py_is(a, b) = a === b
@inline py_is(a::Bool, b::Bool) = a === b
@inline py_is_not(a, b) = not_int(py_is(a, b))

# ---- result type of arithmetic on two numbers
@inline holds16(::Type{T}) where {T} = T === Int8 || T === Int16 || T === UInt8 || T === Bool
@inline arith(::Type{Float64}, ::Type{Float64}) = Float64
@inline arith(::Type{A}, ::Type{B}) where {A<:AnyFloat,B<:AnyFloat} =
    A === Float64 || B === Float64 ? Float64 : A === Float32 || B === Float32 ? Float32 : Float16
@inline arith(::Type{A}, ::Type{B}) where {A<:AnyFloat,B<:AnyInt} =
    A === Float64 ? Float64 : A === Float16 ? (B === Int8 || B === UInt8 || B === Bool ? Float16 : holds16(B) || B === UInt16 ? Float32 : Float64) :
    holds16(B) ? Float32 : Float64
@inline arith(::Type{A}, ::Type{B}) where {A<:AnyInt,B<:AnyFloat} = arith(B, A)
@inline arith(::Type{A}, ::Type{B}) where {A<:UInts,B<:UInts} = UInt64
@inline arith(::Type{A}, ::Type{B}) where {A<:AnyInt,B<:AnyInt} = Int64
@inline part(::Type{Complex{T}}) where {T} = T
@inline part(::Type{T}) where {T<:AnyReal} = T
@inline arith(::Type{A}, ::Type{B}) where {A<:Number,B<:Number} = arith(part(A), part(B)) === Float32 ? ComplexF32 : ComplexF64

# ---- + - *
for (op, int, uint, float) in ((:py_add, :add_nsw, :add_int, :add_float), (:py_sub, :sub_nsw, :sub_int, :sub_float), (:py_mul, :mul_nsw, :mul_int, :mul_float))
    @eval begin
        @inline $op(a::Int64, b::Int64) = $int(a, b)
        @inline $op(a::Float64, b::Float64) = $float(a, b)
        @inline $op(a::Float32, b::Float32) = $float(a, b)
        @inline $op(a::Float16, b::Float16) = $float(a, b)
        @inline $op(a::AnyInt, b::AnyInt) = $int(i64(a), i64(b))
        @inline $op(a::UInts, b::UInts) = $uint(u64(a), u64(b))
        @inline $op(a::AnyReal, b::AnyReal) = (T = arith(typeof(a), typeof(b)); $op(cast(T, a), cast(T, b)))
        @inline $op(a::AnyNumber, b::AnyNumber) = (T = arith(typeof(a), typeof(b)); $op(cast(T, a), cast(T, b)))
    end
end
@inline re(z) = getfield(z, :re)
@inline im(z) = getfield(z, :im)
for T in (:ComplexF32, :ComplexF64)
    @eval begin
        @inline py_add(a::$T, b::$T) = $T(add_float(re(a), re(b)), add_float(im(a), im(b)))
        @inline py_sub(a::$T, b::$T) = $T(sub_float(re(a), re(b)), sub_float(im(a), im(b)))
        @inline py_mul(a::$T, b::$T) = $T(sub_float(mul_float(re(a), re(b)), mul_float(im(a), im(b))), add_float(mul_float(re(a), im(b)), mul_float(im(a), re(b))))
    end
end

# ---- /
@inline py_truediv(a::T, b::T) where {T<:AnyFloat} = (divisor(eq_float(b, cast(T, 0))); div_float(a, b))
@inline py_truediv(a::AnyInt, b::AnyInt) = py_truediv(cast(Float64, a), cast(Float64, b))
@inline py_truediv(a::AnyReal, b::AnyReal) = (T = arith(typeof(a), typeof(b)); py_truediv(cast(T, a), cast(T, b)))
@inline py_truediv(a::AnyNumber, b::AnyNumber) = (T = arith(typeof(a), typeof(b)); cast(T, a) / cast(T, b))

# Returns is_zero. With debug=True, raises ZeroDivisionError if the divisor is zero.
@inline function divisor(is_zero)
    if debug_level() === trunc_int(Int32, 2) && is_zero
        py_raise("ZeroDivisionError: division by zero")
    end
    return is_zero
end

# ---- // and %: the quotient is rounded down; x // 0 is 0; the smallest integer // -1 is 0
@inline function floordiv(a::Int64, b::Int64)
    if divisor(b === 0) || (b === -1 && a === typemin(Int64))
        return 0
    end
    q = sdiv_int(a, b)
    r = sub_int(a, mul_int(q, b))
    return (r !== 0 && slt_int(xor_int(r, b), 0)) ? sub_int(q, 1) : q
end
@inline function floormod(a::Int64, b::Int64)
    if divisor(b === 0) || b === -1
        return 0
    end
    r = srem_int(a, b)
    return (r !== 0 && slt_int(xor_int(r, b), 0)) ? add_int(r, b) : r
end
@inline floordiv(a::UInt64, b::UInt64) = divisor(b === 0x0000000000000000) ? b : udiv_int(a, b)
@inline floormod(a::UInt64, b::UInt64) = divisor(b === 0x0000000000000000) ? b : urem_int(a, b)
# The remainder has the sign of the divisor, as in CPython's float_divmod.
@inline function float_mod(a::T, b::T) where {T}
    divisor(eq_float(b, cast(T, 0)))
    r = rem_float(a, b)
    if py_truth(r)
        return lt_float(b, cast(T, 0)) !== lt_float(r, cast(T, 0)) ? add_float(r, b) : r
    end
    return copysign_float(cast(T, 0), b)
end
@inline function float_floordiv(a::T, b::T) where {T}
    if divisor(eq_float(b, cast(T, 0)))
        return div_float(a, b)
    end
    r = rem_float(a, b)
    q = div_float(sub_float(a, r), b)
    if py_truth(r) && lt_float(b, cast(T, 0)) !== lt_float(r, cast(T, 0))
        q = sub_float(q, cast(T, 1))
    end
    if py_truth(q)
        f = floor_llvm(q)
        return lt_float(cast(T, 0.5), sub_float(q, f)) ? add_float(f, cast(T, 1)) : f
    end
    return copysign_float(cast(T, 0), div_float(a, b))
end
for (op, int, float) in ((:py_floordiv, :floordiv, :float_floordiv), (:py_mod, :floormod, :float_mod))
    @eval begin
        @inline $op(a::AnyInt, b::AnyInt) = $int(i64(a), i64(b))
        @inline $op(a::UInts, b::UInts) = $int(u64(a), u64(b))
        @inline $op(a::AnyReal, b::AnyReal) = (T = arith(typeof(a), typeof(b)); $float(cast(T, a), cast(T, b)))
    end
end
@inline py_divmod(a, b) = (py_floordiv(a, b), py_mod(a, b))

# ---- **
@inline function int_pow(a::Int64, n::Int64)
    if slt_int(n, 0)
        return ifelse(a === 1, 1, ifelse(a === -1, sub_int(1, shl_int(and_int(n, 1), 0x0000000000000001)), ifelse(a === 0, typemin(Int64), 0)))
    end
    return unsigned_pow(a, n)
end
@inline function unsigned_pow(a, n)
    r = cut(typeof(a), 1)
    while n !== cut(typeof(n), 0)
        if and_int(n, cut(typeof(n), 1)) !== cut(typeof(n), 0)
            r = mul_int(r, a)
        end
        n = lshr_int(n, 0x0000000000000001)
        a = mul_int(a, a)
    end
    return r
end
@inline py_pow(a::AnyInt, b::AnyInt) = int_pow(i64(a), i64(b))
@inline py_pow(a::UInts, b::UInts) = unsigned_pow(u64(a), u64(b))
@inline py_pow(a::AnyFloat, b::AnyInt) = float_pow(a, i64(b))
@inline py_pow(a::AnyReal, b::AnyReal) = (T = arith(typeof(a), typeof(b)); pow_float(cast(T, a), cast(T, b)))
@inline pow_float(a::T, b::T) where {T} = a^b
@inline pow_float(a::Float16, b::Float16) = cast(Float16, cast(Float32, a)^cast(Float32, b))
@inline float_pow(a::Float16, n::Int64) = cast(Float16, float_pow(cast(Float32, a), n))
# Powers with an integer exponent: products as Numba makes them for a literal exponent, else a loop.
@inline function float_pow(a::T, n::Int64) where {T}
    n === 0 && return cast(T, 1)
    n === 1 && return a
    n === 2 && return mul_float(a, a)
    n === 3 && return mul_float(mul_float(a, a), a)
    n === 4 && return (b = mul_float(a, a); mul_float(b, b))
    m = slt_int(n, 0) ? neg_int(n) : n
    r = cast(T, 1)
    while m !== 0
        if and_int(m, 1) !== 0
            r = mul_float(r, a)
        end
        m = lshr_int(m, 0x0000000000000001)
        a = mul_float(a, a)
    end
    return slt_int(n, 0) ? div_float(cast(T, 1), r) : r
end
@inline py_pow(a::AnyNumber, b::AnyNumber) = (T = arith(typeof(a), typeof(b)); complex_pow(cast(T, a), cast(T, b)))
@inline function complex_pow(a, b)
    T = part(typeof(a))
    if not_int(py_truth(b))
        return complex_one(a)
    elseif eq_float(re(b), cast(T, 2)) && eq_float(im(b), cast(T, 0))
        return py_mul(a, a)
    end
    return a^b
end

# ---- bits
for (op, by) in ((:py_and_, :and_int), (:py_or_, :or_int), (:py_xor, :xor_int))
    @eval begin
        @inline $op(a::Bool, b::Bool) = $by(a, b)
        @inline $op(a::AnyInt, b::AnyInt) = $by(i64(a), i64(b))
        @inline $op(a::UInts, b::UInts) = $by(u64(a), u64(b))
    end
end
@inline py_lshift(a::UInts, b::AnyInt) = shl_int(u64(a), u64(b))
@inline py_lshift(a::AnyInt, b::AnyInt) = shl_int(i64(a), u64(b))
@inline py_rshift(a::UInts, b::AnyInt) = lshr_int(u64(a), u64(b))
@inline py_rshift(a::AnyInt, b::AnyInt) = ashr_int(i64(a), u64(b))
@inline py_invert(a::Bool) = not_int(a)
@inline py_invert(a::SInt) = not_int(i64(a))
@inline py_invert(a::UInts) = u64(not_int(a))
@inline py_neg(a::Bool) = sub_nsw(0, i64(a))
@inline py_neg(a::SInt) = i64(neg_int(a)) # Numba negates in 8 bits, then widens: the smallest int8 stays -128
@inline py_neg(a::UInts) = u64(neg_int(a))
@inline py_neg(a::AnyFloat) = neg_float(a)
@inline py_neg(a::Complex{T}) where {T} = Complex{T}(neg_float(re(a)), neg_float(im(a)))
@inline py_pos(a::Union{Bool,SInt}) = i64(a)
@inline py_pos(a::UInts) = u64(a)
@inline py_pos(a::Union{AnyFloat,Complex}) = a

# ---- comparisons: an int64 and a uint64 compare as float64
@inline meet(a::Float64, b::Float64) = (a, b)
@inline meet(a::AnyReal, b::AnyReal) = (T = arith(typeof(a), typeof(b)); (cast(T, a), cast(T, b)))
for (op, int, uint, float) in ((:py_eq, :eq_int, :eq_int, :eq_float), (:py_ne, :ne_int, :ne_int, :ne_float), (:py_lt, :slt_int, :ult_int, :lt_float), (:py_le, :sle_int, :ule_int, :le_float))
    @eval begin
        @inline $op(a::Int64, b::Int64) = $int(a, b)
        @inline $op(a::AnyInt, b::AnyInt) = $int(i64(a), i64(b))
        @inline $op(a::UInts, b::UInts) = $uint(u64(a), u64(b))
        @inline $op(a::SInt, b::UInt64) = $float(cast(Float64, a), cast(Float64, b))
        @inline $op(a::UInt64, b::SInt) = $float(cast(Float64, a), cast(Float64, b))
        @inline $op(a::Float32, b::Float32) = $float(a, b)
        @inline $op(a::Float64, b::Float64) = $float(a, b)
        @inline $op(a::AnyReal, b::AnyReal) = (p = meet(a, b); $float(getfield(p, 1), getfield(p, 2)))
    end
end
@inline py_gt(a, b) = py_lt(b, a)
@inline py_ge(a, b) = py_le(b, a)
@inline py_eq(a::AnyNumber, b::AnyNumber) = and_int(py_eq(py_real(a), py_real(b)), py_eq(py_imag(a), py_imag(b)))
@inline py_ne(a::AnyNumber, b::AnyNumber) = not_int(py_eq(a, b))
@inline py_eq(a::Nothing, b::Nothing) = true
@inline py_eq(a::Nothing, b) = false
@inline py_eq(a, b::Nothing) = false
@inline py_ne(a::Nothing, b) = not_int(py_eq(a, b))
@inline py_ne(a, b::Nothing) = not_int(py_eq(a, b))
@inline py_ne(a::Nothing, b::Nothing) = false
@inline py_eq(a::Val, b::Val) = a === b
@inline py_ne(a::Val, b::Val) = a !== b
@inline py_eq(a::Type, b::Type) = a === b
@inline py_ne(a::Type, b::Type) = a !== b

# ---- calls that convert a number: int(x), float(x), bool(x), complex(x), float32(x)
@inline py_construct(::Type{T}, x::AnyNumber) where {T<:AnyReal} = cast(T, x)
@inline py_construct(::Type{Complex{T}}, x::AnyNumber) where {T} = cast(Complex{T}, x)
@inline py_construct(::Type{Complex{T}}, x::AnyReal, y::AnyReal) where {T} = Complex{T}(cast(T, x), cast(T, y))
@inline py_construct(::Type{T}) where {T<:AnyReal} = cast(T, 0)
@inline py_construct(f, args...) = f(args...)
@inline py_int(x::Union{SInt,UInts}) = x
@inline py_int(x::Bool) = i64(x)
@inline py_int(x::AnyFloat) = cast(Int64, x)
@inline py_int() = 0
@inline py_float(x::Union{Float32,Float64}) = x
@inline py_float(x::Float16) = x
@inline py_float(x::AnyInt) = cast(Float64, x)
@inline py_float() = 0.0
for (text, value) in (("nan", NaN), ("NaN", NaN), ("inf", Inf), ("Inf", Inf), ("infinity", Inf), ("+inf", Inf), ("-inf", -Inf), ("-infinity", -Inf))
    @eval @inline py_float(::Val{$(QuoteNode(Symbol(text)))}) = $value
end
@inline py_bool(x) = py_truth(x)
@inline py_bool() = false
@inline py_complex(x::AnyReal) = ComplexF64(cast(Float64, x), 0.0)
@inline py_complex(x::Complex) = x
@inline py_complex(x::Union{Float16,Float32}) = ComplexF32(cast(Float32, x), cast(Float32, 0))
@inline py_complex(x::AnyReal, y::AnyReal) = (T = arith(typeof(x), typeof(y)) === Float32 ? Float32 : Float64; Complex{T}(cast(T, x), cast(T, y)))
@inline py_real(x::Complex) = re(x)
@inline py_real(x::AnyReal) = x
@inline py_imag(x::Complex) = im(x)
@inline py_imag(x::AnyReal) = cast(typeof(x), 0)
@inline py_conjugate(x::Complex{T}) where {T} = Complex{T}(re(x), neg_float(im(x)))
@inline py_conjugate(x::AnyReal) = x

@inline py_abs(x::SInt) = slt_int(x, cut(typeof(x), 0)) ? neg_int(x) : x
@inline py_abs(x::UInts) = x
@inline py_abs(x::Bool) = i64(x)
@inline py_abs(x::AnyFloat) = abs_float(x)
@inline py_abs(x::Complex) = hypot(re(x), im(x))
@inline py_round(x::AnyFloat) = cast(Int64, rint_llvm(x))
@inline py_round(x::AnyInt) = i64(x)
@inline py_round(x::UInt64) = x
@inline py_round(x, ::Nothing) = py_round(x)
@inline function py_round(x::Union{Float32,Float64}, n::AnyInt)
    (isnan(x) || isinf(x)) && return x
    k = i64(n)
    p = float_pow(10.0, slt_int(k, 0) ? neg_int(k) : k)
    y = slt_int(k, 0) ? cast(Float64, x) / p : cast(Float64, x) * p
    isfinite(y) || return slt_int(k, 0) ? cast(typeof(x), 0) : x
    z = rint_llvm(y)
    return cast(typeof(x), slt_int(k, 0) ? z * p : z / p)
end

# ---- min and max, in the operands' unified type; a NaN operand is ignored, as in PTX
@inline unified(::Type{A}, ::Type{A}) where {A} = A
@inline unified(::Type{A}, ::Type{B}) where {A<:AnyFloat,B<:AnyFloat} = arith(A, B)
@inline unified(::Type{A}, ::Type{B}) where {A<:AnyFloat,B<:AnyInt} = A === Float64 ? Float64 : holds16(B) || B === UInt16 ? (A === Float16 && B !== Bool ? Float32 : A) : Float64
@inline unified(::Type{A}, ::Type{B}) where {A<:AnyInt,B<:AnyFloat} = unified(B, A)
@inline unified(::Type{Bool}, ::Type{B}) where {B<:Union{SInt,UInts}} = B
@inline unified(::Type{B}, ::Type{Bool}) where {B<:Union{SInt,UInts}} = B
@inline unified(::Type{A}, ::Type{B}) where {A<:SInt,B<:SInt} = sizeof_type(A) > sizeof_type(B) ? A : B
@inline unified(::Type{A}, ::Type{B}) where {A<:UInts,B<:UInts} = sizeof_type(A) > sizeof_type(B) ? A : B
@inline unified(::Type{A}, ::Type{B}) where {A<:UInts,B<:SInt} = unified(B, A)
@inline unified(::Type{A}, ::Type{B}) where {A<:SInt,B<:UInts} =
    sizeof_type(A) > sizeof_type(B) ? A : B === UInt8 ? Int16 : B === UInt16 ? Int32 : B === UInt32 ? Int64 : Float64
@inline least(a::SInt, b::SInt) = slt_int(b, a) ? b : a
@inline least(a::Union{Bool,UInts}, b::Union{Bool,UInts}) = ult_int(b, a) ? b : a
@inline most(a::SInt, b::SInt) = slt_int(a, b) ? b : a
@inline most(a::Union{Bool,UInts}, b::Union{Bool,UInts}) = ult_int(a, b) ? b : a
@inline least(a::AnyFloat, b::AnyFloat) = ne_float(a, a) ? b : ne_float(b, b) ? a : min_float(a, b)
@inline most(a::AnyFloat, b::AnyFloat) = ne_float(a, a) ? b : ne_float(b, b) ? a : max_float(a, b)
for (op, by) in ((:py_min, :least), (:py_max, :most))
    @eval begin
        @inline $op(a::AnyReal, b::AnyReal) = (T = unified(typeof(a), typeof(b)); $by(cast(T, a), cast(T, b)))
        @inline $op(a, b, c, rest...) = $op($op(a, b), c, rest...)
        @inline $op(t::Tuple) = $op(t...)
        @inline $op(a::AnyReal) = a
    end
end

# ---- exceptions: the message is a constant, "ValueError: text"
struct PythonException <: Exception
    msg::String
end
@inline py_raise(message::String) = throw(PythonException(message))

# Gives each type a number, for vectorize and tests.
for (k, T) in ((0, :Int8), (1, :Int16), (2, :Int32), (3, :Int64), (4, :UInt8), (5, :UInt16), (6, :UInt32), (7, :UInt64),
    (8, :Float16), (9, :Float32), (10, :Float64), (11, :Bool), (12, :ComplexF32), (13, :ComplexF64))
    @eval @inline py_type_code(x::$T) = $k
end
@inline py_type_code(x) = static_error("a function of vectorize gives a number, not a value of type ", typeof(x))
