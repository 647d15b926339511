# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Atomic operations of every type, operation, ordering and scope: all threads of the grid update the same few elements.

using CUDA

@inline number() = (blockIdx().x - 1) * blockDim().x + threadIdx().x
twice_added(x, y) = x + y + y

# Integers: n threads leave what the same updates in any order would.
function integers(o, order, scope)
    i = number()
    T = eltype(o)
    p(k) = pointer(o, k)
    one_bit = T(1) << rem(i - 1, 7)
    UnsafeAtomics.modify!(p(1), +, T(1), order, scope)
    UnsafeAtomics.modify!(p(2), -, T(1), order, scope)
    UnsafeAtomics.modify!(p(3), |, one_bit, order, scope)
    UnsafeAtomics.modify!(p(4), ⊻, one_bit, order, scope)
    UnsafeAtomics.and!(p(5), ~one_bit, order, scope)
    UnsafeAtomics.max!(p(6), T(rem(i, 100)), order, scope)
    UnsafeAtomics.min!(p(7), T(100 - rem(i, 100)), order, scope)
    UnsafeAtomics.modify!(p(8), twice_added, T(1), order, scope)
    old, new = UnsafeAtomics.modify!(p(9), +, T(1), order, scope)
    if new != old + T(1)
        UnsafeAtomics.store!(p(10), T(1))
    end
    while true # one more, by compare and swap
        seen = UnsafeAtomics.load(p(11), UnsafeAtomics.acquire, scope)
        UnsafeAtomics.cas!(p(11), seen, seen + T(1), order, UnsafeAtomics.monotonic, scope).success && break
    end
    if UnsafeAtomics.xchg!(p(12), T(7), order, scope) == T(0) # the first that comes
        UnsafeAtomics.add!(p(13), T(1), order, scope)
    end
    return
end

function floats(o, order, scope)
    i = number()
    T = eltype(o)
    p(k) = pointer(o, k)
    UnsafeAtomics.add!(p(1), T(1), order, scope)
    UnsafeAtomics.sub!(p(2), T(0.5), order, scope)
    UnsafeAtomics.modify!(p(3), max, T(i), order, scope)
    UnsafeAtomics.modify!(p(4), min, T(-i), order, scope)
    UnsafeAtomics.modify!(p(5), twice_added, T(0.25), order, scope)
    UnsafeAtomics.xchg!(p(6), T(3), order, scope)
    return
end
bfloats(o, rest...) = floats(reinterpret(BFloat16, o), rest...)

# Each thread has a place of its own by the old value; what it wrote before is there for all behind the fence.
function tickets(o, count)
    i = number()
    place = UnsafeAtomics.add!(pointer(count), 1, UnsafeAtomics.monotonic, UnsafeAtomics.device)
    o[place+1] = i
    return
end

# What the last block of the grid to come finds: the sums of all the others.
function last_block(o, sums, count)
    if threadIdx().x == 1
        sums[blockIdx().x] = Int64(blockIdx().x)
        if UnsafeAtomics.add!(pointer(count), 1, UnsafeAtomics.acq_rel, UnsafeAtomics.device) == gridDim().x - 1
            total = 0
            for k in 1:gridDim().x
                total += sums[k]
            end
            o[1] = total
        end
    end
    return
end

# Elements of arrays by name of the package.
function scattered(dst, op, idx, src)
    i = number()
    if i <= length(src)
        @inbounds Atomix.modify!(Atomix.IndexableRef(dst, (1, idx[i])), op, src[i])
    end
    return
end
function references(o)
    r = Atomix.IndexableRef(o, (2,))
    Atomix.set!(r, 5)
    o[1] = Atomix.get(r) + r[]
    o[3] = Atomix.swap!(r, 9)
    o[4] = Atomix.replace!(r, 9, 10).success
    o[5] = Atomix.replace!(r, 9, 11).old
    old, new = Atomix.modify!(r, *, 3)
    o[6] = 100 * old + new
    UnsafeAtomics.fence(UnsafeAtomics.acq_rel, UnsafeAtomics.system)
    return
end
