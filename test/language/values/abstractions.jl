# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels of KernelAbstractions: indices of every kind, memory of groups and threads, barriers, iteration spaces that
# are no multiple of a group.

using KernelAbstractions
import KernelAbstractions.KernelIntrinsics as KI

@kernel function linear_indices!(global_, local_, group)
    I = @index(Global, Linear)
    global_[I] = I
    local_[I] = @index(Local, Linear)
    group[I] = @index(Group)
end

@kernel function plane_indices!(o)
    i, j = @index(Global, NTuple)
    I = @index(Global, Cartesian)
    L = @index(Local, Cartesian)
    G = @index(Group, NTuple)
    o[I, 1] = i + 100j
    o[I, 2] = L[1] + 100L[2]
    o[I, 3] = G[1] + 100G[2]
    o[i, j, 4] = @index(Global, Linear)
    o[i, j, 5] = length(G)
end

@kernel function sizes!(o)
    o[1] = @groupsize()[1]
    o[2] = prod(@groupsize())
    o[3] = @ndrange()[1]
    o[4] = length(@ndrange())
end

@kernel inbounds = true function scaled_copy!(A, @Const(B), factor::T) where {T}
    I = @index(Global)
    A[I] = B[I] * factor
end

# Each group turns its part round; the last group is not full, so its lanes beyond the end only join the barrier.
@kernel function turn_groups!(A, @Const(B))
    N = @uniform prod(@groupsize())
    I = @index(Global, Linear)
    i = @index(Local, Linear)
    tile = @localmem eltype(A) (N,)
    marks = @localmem Int32 (N,)
    @inbounds tile[i] = B[I]
    @inbounds marks[i] = i
    @synchronize
    left = min(N, length(A) - (I - i))
    @inbounds A[I] = tile[left-i+1] + marks[left-i+1]
end

@kernel function sum_of_group!(sums, @Const(x))
    @uniform N = prod(@groupsize())
    i = @index(Local, Linear)
    g = @index(Group, Linear)
    part = @localmem Float64 (N,)
    step = @private Int (1,)
    @inbounds begin
        part[i] = x[@index(Global, Linear)]
        step[1] = N ÷ 2
        @synchronize
        while step[1] > 0
            if i <= step[1]
                part[i] += part[i+step[1]]
            end
            step[1] ÷= 2
            @synchronize()
        end
        if i == 1
            sums[g] = part[1]
        end
    end
end

@kernel unsafe_indices = true cpu = false function transpose_tiles!(B, @Const(A), ::Val{pad}=Val(1)) where {pad}
    gi, gj = @index(Group, NTuple)
    i, j = @index(Local, NTuple)
    n = @uniform @groupsize()[1]
    tile = @localmem eltype(B) (n + pad, n)
    tile[i, j] = A[(gi-1)*n+i, (gj-1)*n+j]
    @synchronize
    B[(gj-1)*n+i, (gi-1)*n+j] = tile[j, i]
end

# A function that takes the context from the kernel.
mark!(KernelAbstractions.@context, A, x) = (A[@index(Global, Linear)] = x; nothing)
@kernel function through_function!(A)
    mark!(@context, A, 7)
end

@kernel function ends_early!(A)
    i = @index(Global)
    if i > 3
        return
    end
    A[i] = i
end

function host(n)
    @kernel function add_captured!(A)
        I = @index(Global)
        A[I] += n
    end
    return add_captured!
end

function intrinsics!(o, A)
    tile = KI.localmemory(Int, 4)
    i = KI.get_local_id().x
    tile[i] = A[KI.get_global_id().x]
    KI.barrier()
    o[KI.get_global_id().x] = tile[5-i] + 100KI.get_group_id().x + 1000KI.get_local_size().x + 10000KI.get_num_groups().x + 100000KI.get_global_size().x
    return
end
