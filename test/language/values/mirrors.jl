# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Arrays in one argument, which may share memory.
using CUDA

struct Both{A,B}
    first::A
    second::B
end

@inline parts(t::Tuple) = t
@inline parts(t::Both) = (t.first, t.second)

# What is stored through one array is read through the other.
function store_then_add(t)
    x, y = parts(t)
    @inbounds x[1] = 41
    @inbounds y[1] += 1
    return
end

function store_lengths(t)
    x, y = parts(t)
    @inbounds x[1] = 100 * length(x) + length(y)
    return
end

function store_nested(t)
    (x, (y, z)), n = t
    @inbounds x[1] = n
    @inbounds y[1] += 2
    @inbounds z[end] += 3
    return
end
