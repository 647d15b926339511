# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the kernels of the tables share: numbers of any type come as columns of two 64-bit words, low one first, and results
# go as code of the type, low and high word. Row k of column i is the k-th result of the i-th case.

using CUDA

from_words(::Type{T}, a, i) where {T<:Integer} = (((a[2, i] % UInt128) << 64) | (a[1, i] % UInt128)) % T
from_words(::Type{Float16}, a, i) = reinterpret(Float16, a[1, i] % UInt16)
from_words(::Type{Float32}, a, i) = reinterpret(Float32, a[1, i] % UInt32)
from_words(::Type{Float64}, a, i) = reinterpret(Float64, a[1, i])

table_code(::Type) = 17
for (code, T) in enumerate((Bool, Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Int128, UInt128, Float16, Float32, Float64, Nothing))
    @eval table_code(::Type{$T}) = $code
end
words(x) = (0, 0)
words(x::Integer) = (x % Int64, ((x % Int128) >> 64) % Int64)
words(x::Float16) = (reinterpret(UInt16, x) % Int64, 0)
words(x::Float32) = (reinterpret(UInt32, x) % Int64, 0)
words(x::Float64) = (reinterpret(Int64, x), 0)

# Not inlined: a kernel with many calls stays small.
@noinline function put_at(o, k, i, x::T) where {T}
    (low, high) = words(x)
    @inbounds o[1, k, i] = table_code(T)
    @inbounds o[2, k, i] = low
    @inbounds o[3, k, i] = high
    return nothing
end
# Results one behind the other, from row k on; the row behind them.
put_all(o, k, i) = k
put_all(o, k, i, x, rest...) = (put_at(o, k, i, x); put_all(o, k + 1, i, rest...))
put_all(o, k, i, x::Tuple, rest...) = put_all(o, put_all(o, k, i, x...), i, rest...)
put_all(o, k, i, x::Rational, rest...) = put_all(o, put_all(o, k, i, numerator(x), denominator(x)), i, rest...)

case_number() = (blockIdx().x - 1) * blockDim().x + threadIdx().x
