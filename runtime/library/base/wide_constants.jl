# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; with: base/package_names
# Type Wide replaces BigFloat while package IrrationalConstants is loaded. The package's constants are Float64 and
# Float32 roundings of more precise values. A Wide is the sum of two Float64, about 100 bits. No other code uses this
# type.

module WideConstants
struct Wide <: AbstractFloat
    hi::Float64
    lo::Float64
end
const BigFloat = Wide
function sum_of(a::Float64, b::Float64)
    s = a + b
    t = s - a
    Wide(s, (a - (s - t)) + (b - t))
end
function product_of(a::Float64, b::Float64)
    p = a * b
    Wide(p, fma(a, b, -p))
end
wide(x::Wide) = x
wide(x::Integer) = Wide(Float64(x), 0.0)
wide(x::Float64) = Wide(x, 0.0)
function plus(x::Wide, y::Wide)
    s = sum_of(x.hi, y.hi)
    t = sum_of(x.lo, y.lo)
    s = sum_of(s.hi, s.lo + t.hi)
    sum_of(s.hi, s.lo + t.lo)
end
function times(x::Wide, y::Wide)
    p = product_of(x.hi, y.hi)
    sum_of(p.hi, p.lo + (x.hi * y.lo + x.lo * y.hi))
end
negative(x::Wide) = Wide(-x.hi, -x.lo)
function over(x::Wide, y::Wide)
    q = wide(x.hi / y.hi)
    r = plus(x, negative(times(q, y)))
    q = plus(q, wide(r.hi / y.hi))
    r = plus(x, negative(times(q, y)))
    plus(q, wide(r.hi / y.hi))
end
function root(x::Wide)
    s = wide(sqrt(x.hi))
    plus(s, over(plus(x, negative(times(s, s))), plus(s, s)))
end
function exponential(x::Wide) # series of x/512, then squared nine times
    r = Wide(x.hi / 512, x.lo / 512)
    sum = term = wide(1)
    for k in 1:16
        term = over(times(term, r), wide(k))
        sum = plus(sum, term)
    end
    for k in 1:9
        sum = times(sum, sum)
    end
    sum
end
function logarithm(x::Wide) # one Halley step from the logarithm in Float64
    y = wide(log(x.hi))
    e = exponential(y)
    d = plus(x, negative(e))
    plus(y, over(plus(d, d), plus(x, e)))
end
Base.:+(x::Wide, y::Wide) = plus(x, y)
Base.:-(x::Wide, y::Wide) = plus(x, negative(y))
Base.:*(x::Wide, y::Wide) = times(x, y)
Base.:/(x::Wide, y::Wide) = over(x, y)
Base.:*(x::Integer, y::Wide) = times(wide(x), y)
Base.:/(x::Wide, y::Integer) = over(x, wide(y))
Base.:/(x::Integer, y::Wide) = over(wide(x), y)
Base.inv(x::Wide) = over(wide(1), x)
Base.sqrt(x::Wide) = root(x)
Base.log(x::Wide) = logarithm(x)
Base.Float64(x::Wide) = x.hi + x.lo
Base.Float32(x::Wide) = Float32(x.hi + x.lo)
big(x::Integer) = wide(x)
big(::Base.Irrational{:π}) = Wide(3.141592653589793, 1.2246467991473532e-16)
# MPFR provides only log(2) among the constants of IrrationalConstants.
big(x::AbstractIrrational) = nameof(typeof(x)) === :Logtwo ? logarithm(wide(2)) : Base.BigFloat(x; precision=106)
precision(::Type{Wide}) = 106
setprecision(f, ::Type{Wide}, bits) = f()
end
