# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# put(o, i, x) leaves x's type and its bits in column i of an Int64 matrix: what a test compares is both.

type_code(::Type) = 14
for (code, T) in enumerate((Bool, Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Float16, Float32, Float64, Nothing))
    @eval type_code(::Type{$T}) = $code
end
raw_bits(x) = 0
raw_bits(x::Bool) = x ? 1 : 0
raw_bits(x::Union{Int8,UInt8,Int16,UInt16,Int32,UInt32,Int64,UInt64}) = x % Int64
raw_bits(x::Float16) = reinterpret(UInt16, x) % Int64
raw_bits(x::Float32) = reinterpret(UInt32, x) % Int64
raw_bits(x::Float64) = reinterpret(Int64, x)

# Not inlined: a kernel with hundreds of calls stays small.
@noinline function put(o, i, x::T) where {T}
    o[1, i] = type_code(T)
    o[2, i] = raw_bits(x)
    return nothing
end
