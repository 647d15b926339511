# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Adam, four elements a thread, in the ways that bench/gpu/adam_variants.py compares: hints of loads and stores (docs/device_api.md), and
# how many groups of four a thread does, a grid of threads apart, loads first.
using CUDA

@inline function update(g, m, v, b1, b2, eta, eps)
    m = b1 * m + (1 - b1) * g
    v = b2 * v + (1 - b2) * g^2
    return m, v, m / (1 - b1) / (sqrt(v / (1 - b2)) + eps) * eta
end

# As torch.compile's kernel has it: what does not depend on the element is divided once.
@inline function update_by_products(g, m, v, b1, b2, eta, eps)
    m = b1 * m + (1 - b1) * g
    v = b2 * v + (1 - b2) * g^2
    return m, v, m * (eta / (1 - b1)) / (sqrt(v * (1 / (1 - b2))) + eps)
end

struct Ways{reads,writes,groups,products} end

const Words = NTuple{4,UInt32}
@inline floats(words) = ntuple(k -> reinterpret(Float32, words[k]), Val(4))
@inline words(floats) = ntuple(k -> reinterpret(UInt32, floats[k]), Val(4))

# The length is a multiple of the grid's elements.
function adam_variant(gradient, first_moment, second_moment, b1, b2, eta, eps, ::Ways{reads,writes,groups,products}) where {reads,writes,groups,products}
    g, m, v = pointer(reinterpret(Words, gradient)), pointer(reinterpret(Words, first_moment)), pointer(reinterpret(Words, second_moment))
    i = (blockIdx().x - 1i32) * (blockDim().x * Int32(groups)) + threadIdx().x
    old = ntuple(Val(groups)) do n
        at = i + Int32(n - 1) * blockDim().x
        (floats(CUDA.hinted_load(g, at, Val(reads))), floats(CUDA.hinted_load(m, at, Val(reads))), floats(CUDA.hinted_load(v, at, Val(reads))))
    end
    ntuple(Val(groups)) do n
        at = i + Int32(n - 1) * blockDim().x
        new = ntuple(Val(4)) do k
            products ? update_by_products(old[n][1][k], old[n][2][k], old[n][3][k], b1, b2, eta, eps) : update(old[n][1][k], old[n][2][k], old[n][3][k], b1, b2, eta, eps)
        end
        CUDA.hinted_store!(m, words(ntuple(k -> new[k][1], Val(4))), at, Val(writes))
        CUDA.hinted_store!(v, words(ntuple(k -> new[k][2], Val(4))), at, Val(writes))
        CUDA.hinted_store!(g, words(ntuple(k -> new[k][3], Val(4))), at, Val(writes))
        nothing
    end
    return
end
