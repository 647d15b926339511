# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# NumPy's ufuncs, with NumPy's result types rather than Python's: int32 + int32 is int32. A function applies to arrays
# if its last argument is an output array. Without one it applies only to numbers, because kernels cannot allocate.

# ---- operand types of NumPy's inner loops; float16 is computed in float32
@inline bits(::Type{T}) where {T} = 8 * sizeof_type(T)
@inline signed_of(n) = n <= 8 ? Int8 : n <= 16 ? Int16 : n <= 32 ? Int32 : Int64
@inline meet_type(::Type{A}, ::Type{B}) where {A,B} = A === Float64 || B === Float64 ? Float64 : meet_floats(float_loop(A), float_loop(B))
@inline meet_type(::Type{Bool}, ::Type{Bool}) = Bool
@inline meet_type(::Type{Bool}, ::Type{B}) where {B<:Union{SInt,UInts}} = B
@inline meet_type(::Type{A}, ::Type{Bool}) where {A<:Union{SInt,UInts}} = A
@inline meet_type(::Type{A}, ::Type{B}) where {A<:SInt,B<:SInt} = bits(A) < bits(B) ? B : A
@inline meet_type(::Type{A}, ::Type{B}) where {A<:UInts,B<:UInts} = bits(A) < bits(B) ? B : A
@inline meet_type(::Type{A}, ::Type{B}) where {A<:SInt,B<:UInts} = bits(B) < bits(A) ? A : bits(B) === 64 ? Float64 : signed_of(2 * bits(B))
@inline meet_type(::Type{A}, ::Type{B}) where {A<:UInts,B<:SInt} = meet_type(B, A)
@inline meet_type(::Type{A}, ::Type{B}) where {A<:Complex,B<:Complex} = A === ComplexF64 || B === ComplexF64 ? ComplexF64 : ComplexF32
@inline meet_type(::Type{A}, ::Type{B}) where {A<:Complex,B<:AnyReal} = meet_floats(part(A), float_loop(B)) === Float32 ? ComplexF32 : ComplexF64
@inline meet_type(::Type{A}, ::Type{B}) where {A<:AnyReal,B<:Complex} = meet_type(B, A)
@inline meet_floats(::Type{A}, ::Type{B}) where {A,B} = A === Float64 || B === Float64 ? Float64 : Float32
@inline float_loop(::Type{T}) where {T<:AnyFloat} = T === Float64 ? Float64 : Float32
@inline float_loop(::Type{T}) where {T<:AnyInt} = bits(T) <= 16 ? Float32 : Float64
@inline float_loop(::Type{T}) where {T<:Complex} = T
@inline meet2(a, b) = (T = meet_type(typeof(a), typeof(b)); (cast(T, a), cast(T, b)))
@inline float2(a, b) = (T = float_loop(meet_type(typeof(a), typeof(b))); (cast(T, a), cast(T, b)))

# ---- functions of one number, computed in floats
for f in (:sqrt, :exp, :log, :sin, :cos, :tan, :sinh, :cosh, :tanh, :asin, :acos, :atan, :asinh, :acosh, :atanh, :log10, :log2, :exp2)
    @eval begin
        @inline $(Symbol(:u_, f))(x::AnyReal) = $(Symbol(:py_, f))(cast(float_loop(typeof(x)), x))
        @inline $(Symbol(:u_, f))(z::Complex) = $(Symbol(:c_, f))(z)
    end
end
@inline c_log2(z::Complex{T}) where {T} = (w = Base.log(z); k = cast(T, 1.4426950408889634); Complex{T}(mul_float(re(w), k), mul_float(im(w), k)))
@inline c_exp2(z::Complex{T}) where {T} = (k = cast(T, 0.6931471805599453); c_exp(Complex{T}(mul_float(re(z), k), mul_float(im(z), k))))
for f in (:expm1, :log1p, :cbrt, :fabs, :radians, :degrees)
    @eval @inline $(Symbol(:u_, f))(x::AnyReal) = $(Symbol(:py_, f))(cast(float_loop(typeof(x)), x))
end
for f in (:floor, :ceil, :trunc)
    @eval @inline $(Symbol(:u_, f))(x::AnyFloat) = $(Symbol(:py_, f))(x)
    @eval @inline $(Symbol(:u_, f))(x::AnyInt) = x
end
@inline u_rint(x::AnyReal) = py_rint(cast(float_loop(typeof(x)), x))

# ---- arithmetic
for (name, int, float) in ((:add, :add_int, :add_float), (:subtract, :sub_int, :sub_float), (:multiply, :mul_int, :mul_float))
    u, plain = Symbol(:u_, name), Symbol(:plain_, name)
    @eval begin
        @inline $u(a::AnyNumber, b::AnyNumber) = (p = meet2(a, b); $plain(getfield(p, 1), getfield(p, 2)))
        @inline $plain(a::T, b::T) where {T<:Union{SInt,UInts}} = $int(a, b)
        @inline $plain(a::T, b::T) where {T<:AnyFloat} = $float(a, b)
    end
end
@inline plain_add(a::Bool, b::Bool) = or_int(a, b)
@inline plain_multiply(a::Bool, b::Bool) = and_int(a, b)
@inline plain_subtract(a::Bool, b::Bool) = static_error("np.subtract takes no bool: use ^ or np.logical_xor")
@inline plain_add(a::Complex, b::Complex) = py_add(a, b)
@inline plain_subtract(a::Complex, b::Complex) = py_sub(a, b)
@inline plain_multiply(a::Complex, b::Complex) = py_mul(a, b)
@inline u_true_divide(a::AnyInt, b::AnyInt) = div_float(cast(Float64, a), cast(Float64, b))
@inline u_true_divide(a::AnyReal, b::AnyReal) = (p = meet2(a, b); div_float(getfield(p, 1), getfield(p, 2)))
@inline u_true_divide(a::AnyNumber, b::AnyNumber) = (p = meet2(a, b); getfield(p, 1) / getfield(p, 2))
for (u, by) in ((:u_floor_divide, :py_floordiv), (:u_remainder, :py_mod))
    @eval @inline $u(a::AnyReal, b::AnyReal) = (p = meet2(a, b); cast(widened(typeof(getfield(p, 1))), $by(getfield(p, 1), getfield(p, 2))))
end
@inline widened(::Type{T}) where {T} = T === Bool ? Int8 : T
@inline function u_fmod(a::AnyInt, b::AnyInt)
    meet_type(typeof(a), typeof(b)) === Float64 && return rem_float(cast(Float64, a), cast(Float64, b))
    p = meet2(a, b)
    return int_fmod(cast(widened(typeof(getfield(p, 1))), a), cast(widened(typeof(getfield(p, 1))), b))
end
@inline int_fmod(a::T, b::T) where {T<:UInts} = b === cut(T, 0) ? b : urem_int(a, b)
@inline int_fmod(a::T, b::T) where {T<:SInt} = b === cut(T, 0) || b === cut(T, -1) ? cut(T, 0) : srem_int(a, b)
@inline u_fmod(a::AnyReal, b::AnyReal) = (p = float2(a, b); rem_float(getfield(p, 1), getfield(p, 2)))
@inline u_power(a::AnyInt, b::AnyInt) = (p = meet2(a, b); T = widened(typeof(getfield(p, 1))); cast(T, py_pow(cast(T, a), cast(T, b))))
@inline u_power(a::AnyReal, b::AnyReal) = (p = meet2(a, b); pow_float(getfield(p, 1), getfield(p, 2)))
@inline u_power(a::AnyNumber, b::AnyNumber) = (p = meet2(a, b); complex_pow(getfield(p, 1), getfield(p, 2)))
for (name, by) in ((:arctan2, :py_atan2), (:hypot, :py_hypot), (:copysign, :py_copysign), (:nextafter, :py_nextafter))
    @eval @inline $(Symbol(:u_, name))(a::AnyReal, b::AnyReal) = (p = float2(a, b); $by(getfield(p, 1), getfield(p, 2)))
end
@inline u_negative(a::T) where {T<:Union{SInt,UInts}} = neg_int(a)
@inline u_negative(a::Union{AnyFloat,Complex}) = py_neg(a)
@inline u_negative(a::Bool) = static_error("np.negative takes no bool: use ~ or np.logical_not")
@inline u_positive(a::Union{SInt,UInts,AnyFloat,Complex}) = a
@inline u_absolute(a::T) where {T<:SInt} = slt_int(a, cut(T, 0)) ? neg_int(a) : a
@inline u_absolute(a::Union{Bool,UInts}) = a
@inline u_absolute(a::Union{AnyFloat,Complex}) = py_abs(a)
@inline u_sign(a::T) where {T<:SInt} = slt_int(a, cut(T, 0)) ? cut(T, -1) : a === cut(T, 0) ? a : cut(T, 1)
@inline u_sign(a::T) where {T<:UInts} = a === cut(T, 0) ? a : cut(T, 1)
@inline u_sign(a::AnyFloat) = py_sign(a)
@inline u_square(a::AnyNumber) = u_multiply(a, a)
@inline u_reciprocal(a::T) where {T<:UInts} = a === cut(T, 1) ? a : cut(T, 0)
@inline u_reciprocal(a::T) where {T<:SInt} = a === cut(T, 1) || a === cut(T, -1) ? a : cut(T, 0)
@inline u_reciprocal(a::AnyFloat) = (T = float_loop(typeof(a)); div_float(cast(T, 1), cast(T, a)))
@inline u_reciprocal(a::Complex) = complex_one(a) / a
@inline u_conjugate(a::Complex) = py_conjugate(a)
@inline u_conjugate(a::AnyReal) = a
@inline u_gcd(a::AnyInt, b::AnyInt) = (p = meet2(a, b); cast(widened(typeof(getfield(p, 1))), py_gcd(getfield(p, 1), getfield(p, 2))))

# ---- bits
for (name, by) in ((:bitwise_and, :and_int), (:bitwise_or, :or_int), (:bitwise_xor, :xor_int))
    u, plain = Symbol(:u_, name), Symbol(:plain_, name)
    @eval begin
        @inline $u(a::AnyInt, b::AnyInt) = (p = meet2(a, b); $plain(getfield(p, 1), getfield(p, 2)))
        @inline $plain(a::T, b::T) where {T<:AnyInt} = $by(a, b)
    end
end
@inline u_invert(a::AnyInt) = not_int(a)
for (name, by) in ((:left_shift, :<<), (:right_shift, :>>))
    u, plain = Symbol(:u_, name), Symbol(:plain_, name)
    @eval begin
        @inline $u(a::AnyInt, b::AnyInt) = (p = meet2(a, b); T = widened(typeof(getfield(p, 1))); $plain(cast(T, a), cast(T, b)))
        @inline $plain(a::T, b::T) where {T<:Union{SInt,UInts}} = Base.$by(a, u64(b))
    end
end

# ---- comparisons: signed and unsigned 64-bit integers compare by value; complex numbers by real, then imaginary part
const Wide = UInt64
@inline u_less(a::SInt, b::Wide) = slt_int(i64(a), 0) ? true : ult_int(u64(a), b)
@inline u_less(a::Wide, b::SInt) = slt_int(i64(b), 0) ? false : ult_int(a, u64(b))
@inline u_less_equal(a::SInt, b::Wide) = slt_int(i64(a), 0) ? true : ule_int(u64(a), b)
@inline u_less_equal(a::Wide, b::SInt) = slt_int(i64(b), 0) ? false : ule_int(a, u64(b))
@inline u_equal(a::SInt, b::Wide) = slt_int(i64(a), 0) ? false : eq_int(u64(a), b)
@inline u_equal(a::Wide, b::SInt) = u_equal(b, a)
for (name, by) in ((:less, :py_lt), (:less_equal, :py_le), (:equal, :py_eq))
    @eval @inline $(Symbol(:u_, name))(a::AnyReal, b::AnyReal) = (p = meet2(a, b); $by(getfield(p, 1), getfield(p, 2)))
end
@inline u_equal(a::AnyNumber, b::AnyNumber) = (p = meet2(a, b); py_eq(getfield(p, 1), getfield(p, 2)))
@inline u_not_equal(a::AnyNumber, b::AnyNumber) = not_int(u_equal(a, b))
@inline u_less(a::AnyNumber, b::AnyNumber) = (p = meet2(a, b); x = getfield(p, 1); y = getfield(p, 2); by_parts(x, y, py_lt(im(x), im(y))))
@inline u_less_equal(a::AnyNumber, b::AnyNumber) = (p = meet2(a, b); x = getfield(p, 1); y = getfield(p, 2); by_parts(x, y, py_le(im(x), im(y))))
@inline by_parts(x, y, tie) = py_lt(re(x), re(y)) ? not_int(or_int(py_isnan(im(x)), py_isnan(im(y)))) : and_int(py_eq(re(x), re(y)), tie)
@inline u_greater(a::AnyNumber, b::AnyNumber) = u_less(b, a)
@inline u_greater_equal(a::AnyNumber, b::AnyNumber) = u_less_equal(b, a)
# maximum and minimum return a NaN operand; fmax and fmin return the operand that is not NaN.
for (name, first) in ((:maximum, :u_greater_equal), (:minimum, :u_less_equal))
    @eval @inline $(Symbol(:u_, name))(a::AnyNumber, b::AnyNumber) = (p = meet2(a, b); x = getfield(p, 1); y = getfield(p, 2); py_isnan(x) || $first(x, y) ? x : y)
end
for (name, first) in ((:fmax, :u_greater_equal), (:fmin, :u_less_equal))
    @eval @inline $(Symbol(:u_, name))(a::AnyNumber, b::AnyNumber) = (p = meet2(a, b); x = getfield(p, 1); y = getfield(p, 2); py_isnan(y) || $first(x, y) ? x : y)
end
for name in (:logical_and, :logical_or, :logical_xor)
    @eval @inline $(Symbol(:u_, name))(a::AnyNumber, b::AnyNumber) = $(Symbol(:py_, name))(a, b)
end
@inline u_logical_not(a::AnyNumber) = py_logical_not(a)
for name in (:isnan, :isinf, :isfinite)
    @eval @inline $(Symbol(:u_, name))(a::AnyNumber) = $(Symbol(:py_, name))(a)
end
@inline u_signbit(a::AnyFloat) = py_signbit(a)
@inline u_signbit(a::SInt) = slt_int(i64(a), 0)
@inline u_signbit(a::Enter) = false

# ---- functions that kernels call: their arguments may end with the output array
for (n, names) in (
    (1, (:sqrt, :exp, :log, :sin, :cos, :tan, :sinh, :cosh, :tanh, :asin, :acos, :atan, :asinh, :acosh, :atanh, :log10, :log2, :exp2, :expm1, :log1p, :cbrt, :fabs, :radians, :degrees,
        :floor, :ceil, :trunc, :rint, :negative, :positive, :absolute, :sign, :square, :reciprocal, :conjugate, :invert, :logical_not, :isnan, :isinf, :isfinite, :signbit)),
    (2, (:add, :subtract, :multiply, :true_divide, :floor_divide, :remainder, :fmod, :power, :arctan2, :hypot, :copysign, :nextafter, :gcd, :bitwise_and, :bitwise_or, :bitwise_xor,
        :left_shift, :right_shift, :less, :less_equal, :equal, :not_equal, :greater, :greater_equal, :maximum, :minimum, :fmax, :fmin, :logical_and, :logical_or, :logical_xor)))
    for name in names
        u = Symbol(:u_, name)
        @eval @inline $(Symbol(:py_np_, name))(args...) = ufunc($u, Val($n), $(QuoteNode(name)), args...)
    end
end
@inline holds_array(::Tuple{}) = false
@inline holds_array(t::Tuple) = getfield(t, 1) isa Arrays || holds_array(Base.tail(t))
@inline function ufunc(f, ::Val{n}, name, args...) where {n}
    if nfields(args) === n
        holds_array(args) && static_error("np.", name, " of arrays would have to allocate its result: give the array for it as the last argument")
        return f(args...)
    elseif nfields(args) === n + 1
        return ufunc_into(f, Val(n), name, getfield(args, n + 1), args)
    end
    return static_error("np.", name, " takes ", n, " arguments, and an array for the results")
end
@inline ufunc_into(f, v::Val{n}, name, out::Nothing, args) where {n} = ufunc(f, v, name, first_of(args, v)...)
@inline ufunc_into(f, v::Val, name, out, args) = static_error("np.", name, ": the results go into an array, not into a value of type ", typeof(out))
@inline ufunc_into(f, v::Val, name, out::Arrays{T,N,A,true}, args) where {T,N,A} = static_error("cannot modify a read-only array")
@inline function ufunc_into(f, v::Val, name, out::Arrays{T,N,A,false}, args) where {T,N,A}
    ins = map(Base.Fix2(broadcast_to, shape(out)), first_of(args, v))
    k, n = 0, product(shape(out))
    while slt_int(k, n)
        I = unravel(k, shape(out))
        store(out, result_for(T, f(map(Base.Fix2(item_at, I), ins)...)), I)
        k = add_int(k, 1)
    end
    return out
end
@inline result_for(::Type{T}, x) where {T} = x
@inline result_for(::Type{T}, x::AnyFloat) where {T<:AnyInt} = static_error("NumPy does not cast a result of type ", typeof(x), " to ", T, ": give an array of floats")
@inline result_for(::Type{Bool}, x::Union{SInt,UInts}) = static_error("NumPy does not cast a result of type ", typeof(x), " to bool: give an array of integers")
@inline result_for(::Type{Bool}, x::AnyFloat) = static_error("NumPy does not cast a result of type ", typeof(x), " to bool: give an array of floats")
@inline item_at(x, I) = x
@inline item_at(a::Arrays, I) = load(a, I)
# Broadcasts an argument to the results' shape s: repeats its dimensions of one element.
@inline broadcast_to(x, s) = x
@inline function broadcast_to(a::Arrays{T,N,A,R}, s) where {T,N,A,R}
    N > nfields(s) && static_error("an array of ", N, " dimensions does not fit into one of ", nfields(s))
    steps = repeated(shape(a), strides_of(a), drop(s, Val(nfields(s) - N)))
    return SArray{T,nfields(s),A,R}(pointer_of(a), s, (zeros_like(first_of(s, Val(nfields(s) - N)))..., steps...))
end
@inline repeated(::Tuple{}, steps, s) = ()
@inline repeated(given::Tuple, steps, s) =
    (step_over(getfield(given, 1), getfield(steps, 1), getfield(s, 1)), repeated(Base.tail(given), Base.tail(steps), Base.tail(s))...)
@inline function step_over(given, step, n)
    given === n && return step
    given === 1 && return 0
    py_raise("ValueError: unable to broadcast an array to the shape of the array that it is written to")
end
