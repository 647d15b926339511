# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A constant that names a macro is that macro under another name.
#
# RUN: %kiln script %s | %filecheck %s

module Names
const var"@_inline" = Base.var"@inline"
const var"@check" = Base.var"@assert"
plus(x) = (@_inline; x + 1)
@_inline times(x) = 2x
checked(x) = (@check x > 0; x)
end

println(Names.plus(1), " ", Names.times(3), " ", Names.checked(4))
# CHECK: 2 6 4
println(try Names.checked(-1) catch e; typeof(e) end)
# CHECK: AssertionError

function kernel(o)
    o[1] = Names.plus(41)
    return
end
using CUDA
o = CUDA.zeros(Int, 1)
@cuda kernel(o)
println(Array(o))
# CHECK: [42]
