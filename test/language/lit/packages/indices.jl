# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Indices of a type that a package made, by its methods of to_indices and to_index; methods that a package gives to a
# function of the host; dotted calls of arrays of the device beside a package.
#
# RUN: %kiln script --device cpu --load-path %S/inputs/folder %s | %filecheck %s
using CUDA, Placed
A = reshape(collect(1:24), 2, 3, 4)
# CHECK: [7 9 11; 8 10 12] [3, 9, 15, 21] [2, 4, 6] (2, 3, 2) 2
println(A[rest, 2], " ", A[1, 2, rest], " ", A[2, rest, 1], " ", size(A[rest, 1:2]), " ", A[Second()])
# CHECK-NEXT: [9, 10] 36 (2, 3)
println(view(A, rest, Second(), 2), " ", sum(view(A, 1, rest, 2)) + A[Second(), 1, Second()] + 1, " ", size(view(A, rest, 3)))
A[rest, 4] .= 0
A[1, rest] = ones(Int, 3, 4)
# CHECK-NEXT: [1 1 1; 0 0 0] 90
println(A[rest, 4], " ", sum(A[2, rest]))
B = CuArray(reshape(collect(1:24), 2, 3, 4))
# CHECK-NEXT: CuArray{Int64, 2, CUDA.DeviceMemory} [7 9 11; 8 10 12] 144
println(typeof(B[rest, 2]), " ", Array(B[rest, 2]), " ", sum(B[1, rest]))
B[rest, 1] .= 0
B[2, rest] = CUDA.ones(Int, 3, 4)
# CHECK-NEXT: 147 [2 2 2; 2 2 2]
println(sum(B), " ", Array(B[rest, 1] .* 0 .+ 2))
function sums(y, x)
    i = threadIdx().x
    s = 0
    for v in view(x, rest, i)
        s += v
    end
    y[i] = s + x[Second(), Second(), i]
    return
end
y = CUDA.zeros(Int, 4)
@cuda threads = 4 sums(y, CuArray(reshape(collect(1:24), 2, 3, 4)))
# 1+...+6 and 4; 7+...+12 and 10; ...
# CHECK-NEXT: [25, 67, 109, 151]
println(y)
# CHECK-NEXT: the second and Second
println(string(Second()), " and ", nameof(typeof(Second())))
# CHECK-NEXT: ArgumentError: invalid index: Unknown() of type Unknown
try
    A[Unknown()]
catch e
    println(sprint(showerror, e))
end
