# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A package's own style of broadcasting: what a nest of dotted calls becomes is its method of copy.
#
# RUN: %kiln run %s dots --load-path %S/inputs/folder --arg 'zeros(Float32, 21)' --arg 'ones(Float32, 3)' --device cpu --out 1=%t.npy 2>&1 | %empty
# RUN: %npy show %t.npy | %filecheck %s
# CHECK: values 3.0 6.0 9.0 4.0 25.0 100.0 11.0 22.0 33.0 2.0 3.0 4.0 1.0 1.0 0.0 3.0 5.0 7.0 1.0 3.0 4.0
# RUN: %kiln compile %s 'dots(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' --load-path %S/inputs/folder --target ptx -o %t.ptx 2>&1 | %empty

using Styled

function put(y, k, t)
    for i in 1:3
        y[k+i] = t[i]
    end
    return k + 3
end
function dots(y, x)
    a, b = Triple(1f0, 2f0, 3f0), Triple(2f0, 4f0, 6f0)
    k = put(y, 0, a .+ b)
    k = put(y, k, (a .* b .+ Triple(0f0, -3f0, -8f0)) .^ 2)
    k = put(y, k, a .+ (10, 20, 30))
    c = a .+ 1
    k = put(y, k, c isa Triple ? c : (0, 0, 0))
    k = put(y, k, Float32.(a .< 3))
    v = view(y, k+1:k+3)
    v .= 2 .* a .+ x             # an array that the style stores in, and one among its arguments
    k = put(y, k + 3, map(identity, (1, 3, 4)))
    return
end
