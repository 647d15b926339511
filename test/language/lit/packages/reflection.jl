# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What packages ask of types and how their generated functions and macros make code, in kernels.
#
# RUN: %kiln run %s asks --load-path %S/inputs/folder --arg 'zeros(Float32, 28)' --device cpu --out 1=%t.npy 2>&1 | %empty
# RUN: %npy show %t.npy | %filecheck %s
# CHECK: values 6.0 2.0 3.0 1.0 0.0 1.0 1.0 1.0 56.0 11.0 21.0 12.0 22.0 4.0 6.0 2.0 4.0 6.0 8.0 5.0 3.0 2.0 0.0 1.0 4.0 9.0 2.0 3.0
# RUN: %kiln compile %s 'asks(CuDeviceVector{Float32,1})' --load-path %S/inputs/folder --target ptx -o %t.ptx 2>&1 | %empty
#
# The text of an exception may hold values of the run: who throws in a kernel throws without it.
# RUN: %status 1 %kiln run %s throws --load-path %S/inputs/folder --arg 'zeros(Float32, 4)' --arg -3 --device cpu 2>&1 | %filecheck %s --check-prefix=THROWS
# THROWS: DomainError
# RUN: %kiln run %s throws --load-path %S/inputs/folder --arg 'zeros(Float32, 4)' --arg 3 --device cpu 2>&1 | %empty
#
# An object whose fields lie otherwise in registers than in memory has no pointer.
# RUN: %status 1 %kiln compile %s 'padded(CuDeviceVector{Float32,1})' --load-path %S/inputs/folder --target ptx -o %t.ptx 2>&1 | %filecheck %s --check-prefix=PADDED
# PADDED: its fields lie otherwise in a register than in memory

using Reflects

struct Two; a::Float32; b::Float32; end
struct Odd; a::Int8; b::Int32; c::Int8; end
const R = Row{Tuple{2,3},Float32,2,6}
double(x) = 2x

function asks(y)
    y[1] = width(R)
    s = sides(Tuple{2,3})
    y[2], y[3] = s[1], s[2]
    y[4] = has_size(R)
    y[5] = has_size(Row)
    y[6] = kind_of(y) === :CuDeviceArray
    y[7] = common(Reflects.Line, Float32) === (Row{Tuple{K},Float32,1,K} where {K})
    y[8] = common(R, Int) === Union{}
    y[9] = unrolled(x -> x * x, (2, 4, 6))
    y[10], y[11], y[12], y[13] = grid(1, Val((2, 2)))
    t = rebuilt(double, Two(2f0, 3f0))
    y[14], y[15] = t.a, t.b
    y[16], y[17], y[18], y[19] = spread(2f0, Val(4))
    y[20] = middle((4, 5, 6))
    y[21], y[22], y[23] = diagonal_of(1f0, 2f0, 3f0)
    y[24], y[25], y[26] = @squares 1:3
    y[27] = length(R.parameters[1].parameters)
    y[28] = fieldcount(Odd)
    return
end

function throws(y, n)
    y[1] = checked(n)
    return
end

function padded(y)
    s = Scratch{2,Odd}()
    p = pointer_from_objref(s)
    y[1] = unsafe_load(Ptr{Int8}(p))
    return
end
