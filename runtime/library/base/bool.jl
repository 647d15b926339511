# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/int
# Arithmetic of Bool: a sum is an Int; a product with a float keeps the sign of zero.

@inline ~(x::Bool) = not_int(x)
@inline &(x::Bool, y::Bool) = and_int(x, y)
@inline |(x::Bool, y::Bool) = or_int(x, y)
@inline xor(x::Bool, y::Bool) = not_int(x === y)
@inline nand(x, y) = ~(x & y)
@inline nor(x, y) = ~(x | y)
const ⊻ = xor
const ⊼ = nand
const ⊽ = nor
@inline ==(x::Bool, y::Bool) = x === y
@inline <(x::Bool, y::Bool) = and_int(not_int(x), y)
@inline <=(x::Bool, y::Bool) = or_int(not_int(x), y)
@inline +(x::Bool) = Int(x)
@inline -(x::Bool) = neg_int(Int(x))
@inline +(x::Bool, y::Bool) = add_int(Int(x), Int(y))
@inline -(x::Bool, y::Bool) = sub_int(Int(x), Int(y))
@inline *(x::Bool, y::Bool) = and_int(x, y)
@inline ^(x::Bool, y::Bool) = or_int(x, not_int(y))
@inline min(x::Bool, y::Bool) = and_int(x, y)
@inline max(x::Bool, y::Bool) = or_int(x, y)
@inline *(x::Bool, y::T) where {T<:AbstractFloat} = ifelse(x, y, copysign(zero(y), y))
@inline *(x::T, y::Bool) where {T<:AbstractFloat} = y * x
@inline div(x::Bool, y::Bool) = y ? x : throw(DivideError())
@inline rem(x::Bool, y::Bool) = y ? false : throw(DivideError())
@inline mod(x::Bool, y::Bool) = rem(x, y)
@inline fld(x::Bool, y::Bool) = div(x, y)
@inline cld(x::Bool, y::Bool) = div(x, y)
@inline abs(x::Bool) = x
@inline sign(x::Bool) = x
@inline signbit(x::Bool) = false
@inline count_ones(x::Bool) = Int(x)
