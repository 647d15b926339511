# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Typed code shows phis, splits of unions, constants and what can never run.
#
# RUN: %kiln compile %s 'sum_to(Int64)' --emit typed | %filecheck %s --check-prefix=LOOP
# LOOP: sum_to(::Int64)::Int64
# LOOP: block 1
# LOOP: %[[S:[0-9]+]] {{ *}}= φ (block 0 => 0, block {{[0-9]+}} => %[[NEXT:[0-9]+]])::Int64
# LOOP: %[[NEXT]] {{ *}}= invoke Main.:+(%[[S]], %{{[0-9]+}})
# LOOP: return %[[S]]
#
# RUN: %kiln compile %s 'split(Bool)' --emit typed | %filecheck %s --check-prefix=SPLIT
# SPLIT: split(::Bool)::{{(Float64|Union{Float64, Int64}|Union{Int64, Float64})}}
# SPLIT: split Main.:+({{.*}}) in 2
#
# RUN: %kiln compile %s 'folded(Int64)' --emit typed | %filecheck %s --check-prefix=FOLDED
# FOLDED: folded(::Int64)::Const(8)
# FOLDED: never reached

function sum_to(n)
    s = 0
    i = 1
    while i <= n
        s = s + i
        i = i + 1
    end
    return s
end

function split(b)
    x = b ? 1 : 2.0
    return x + 1
end

function folded(n)
    if sizeof(n) == 8
        return sizeof(n)
    end
    return -1
end
