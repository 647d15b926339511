# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Loops of a constant number of turns over tuples and small arrays are unrolled: nothing is left in local memory.
#
# RUN: %kiln compile %S/../../values/tuple_loops.jl 'ways(CuDeviceMatrix{Float32,1}, CuDeviceVector{Float32,1}, Val{13})' --target ptx 2>&1 | %filecheck %s
# RUN: %kiln compile %S/../../values/tuple_loops.jl 'sorted(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Val{13})' --target ptx 2>&1 | %filecheck %s
# RUN: %kiln compile %S/../../values/tuple_loops.jl 'pairs_of(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Val{16})' --target ptx 2>&1 | %filecheck %s
# RUN: %kiln compile %S/../../values/tuple_loops.jl 'tile(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Int, Val{8})' --target ptx 2>&1 | %filecheck %s
# RUN: %kiln compile %S/../../values/tuple_loops.jl 'rows_of(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Val{20})' --target ptx 2>&1 | %filecheck %s
# CHECK-NOT: warning
# CHECK-NOT: .local
# CHECK: .entry
# CHECK-NOT: .local
#
# An index from memory picks from memory, which needs no warning: kiln advise tells it.
# RUN: %kiln compile %S/../../values/tuple_loops.jl 'picked(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, CuDeviceVector{Int,1}, Val{8})' --target ptx 2>&1 | %filecheck %s --check-prefix=PICKED
# PICKED-NOT: warning
# PICKED: .local .align 4 .b8
#
# What is too large for that is said: by its bytes, or by its loops' length. The CPU has no such memory.
# RUN: %kiln compile %s 'tile(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Int, Val{20})' --target ptx -o %t.ptx 2>&1 | %filecheck %s --check-prefix=BYTES
# BYTES: tuple_loops.jl:[[@LINE+15]]:11: what this indexes lies in local memory, 1600 bytes a thread, instead of registers: the loops around it would have {{[0-9]+}} instructions if they were unrolled
# BYTES: hint: unrolled are loops up to 10,000 instructions, for arrays up to 1,024 bytes
# RUN: %kiln compile %s 'triples(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Val{24})' --target ptx --worker-processes 1 -o %t.ptx 2>&1 | %filecheck %s --check-prefix=LENGTH
# LENGTH: tuple_loops.jl:[[@LINE+30]]:{{[0-9]+}}: what this indexes lies in local memory, 96 bytes a thread, instead of registers: the loops around it would have {{[0-9]+}} instructions if they were unrolled
# RUN: %kiln compile %s 'tile(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Int, Val{20})' -o %t.s 2>&1 | %empty
#
# What `iterate` drives is a loop with a trip count on the CPU as well, and so is vectorised.
# RUN: %kiln compile %s 'weighted(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' --emit llvm-opt | %filecheck %s --check-prefix=VECTOR
# VECTOR: fmul {{.*}}<{{[0-9]+}} x float>

using CUDA
using StaticArrays

function tile(y, x, turns, ::Val{N}) where {N}
    i = threadIdx().x
    acc = zeros(MMatrix{N,N,Float32})
    for k in 1:turns, a in 1:N, b in 1:N
        @inbounds acc[a, b] += x[i + a + k] * x[i + b * k]
    end
    s = 0f0
    for a in 1:N, b in 1:N
        @inbounds s += acc[a, b] * Float32(a - b)
    end
    @inbounds y[i] = s
    return
end

# 24^3 turns
function triples(y, x, ::Val{N}) where {N}
    i = threadIdx().x
    t = ntuple(k -> @inbounds(x[i + k]), Val(N))
    s = 0f0
    for a in 1:N, b in 1:N, c in 1:N
        @inbounds s += t[a] * t[b] * t[c]
    end
    @inbounds y[i] = s
    return
end

function weighted(y, x)
    @fastmath for (k, e) in enumerate(x)
        @inbounds y[k] = e * Float32(k)
    end
    return
end
