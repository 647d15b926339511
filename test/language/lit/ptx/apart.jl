# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The second entry of kernels that --coarsen leaves as they are, NAME_apart, for launches whose written arrays overlap no other: what is only
# read is read by ld.global.nc. The first entry is the same to the byte as without.
#
# DEFINE: %{vector} = CuDeviceVector{Float32,1}
# DEFINE: %{apart} = %kiln compile %s --target ptx -g0 --coarsen
# RUN: %{apart} 'pairs(%{vector}, %{vector}, Float32)' 2>&1 | %filecheck %s --check-prefix=PAIRS
# PAIRS: `pairs` is not coarsened
# PAIRS: .entry [[NAME:_Z5pairs[A-Za-z0-9_]*]](
# PAIRS-NOT: ld.global.nc
# PAIRS: ld.global.b32
# PAIRS: .entry [[NAME]]_apart(
# PAIRS-NOT: ld.global.b32
# PAIRS: ld.global.nc.b32
# PAIRS: fma.rn.f32
# PAIRS: ld.global.nc.b32
# PAIRS-NOT: .entry
# A table that is read again in each turn of a loop that writes.
# RUN: %{apart} 'table(%{vector}, %{vector}, Int32)' 2>&1 | %filecheck %s --check-prefix=TABLE
# TABLE: _apart(
# TABLE: ld.global.nc.b32
#
# What is written, also by atomic operations or in another branch, is read as before.
# RUN: %{apart} 'sums(%{vector}, %{vector}, Int32)' 2>&1 | %filecheck %s --check-prefix=SUMS
# SUMS: .entry {{.*}}_apart(
# SUMS: ld.global.b32
# SUMS: ld.global.nc.b32
# SUMS: st.global.b32
# RUN: %{apart} 'both(%{vector}, %{vector}, Int32)' 2>&1 | %filecheck %s --check-prefix=ONE
# A store that ends the turn of a loop, and a loop that reads inside it: what is read stands behind no store of its turn.
# RUN: %{apart} 'rows(%{vector}, %{vector}, Int32)' 2>&1 | %filecheck %s --check-prefix=ONE
# RUN: %{apart} 'atomic(%{vector}, %{vector})' 2>&1 | %filecheck %s --check-prefix=ATOMIC
# ATOMIC: _apart(
# ATOMIC: ld.global.nc.b32
# ATOMIC: atom.global.add.f32
#
# Bounds tests that throw, barriers and shared memory are no hindrance.
# RUN: %{apart} 'checked(%{vector}, %{vector}, Int32)' 2>&1 | %filecheck %s --check-prefix=CHECKED
# CHECKED: _apart(
# CHECKED: ld.global.nc.b32
# RUN: %{apart} 'tiles(%{vector}, %{vector}, Int32)' 2>&1 | %filecheck %s --check-prefix=TILES
# TILES: _apart(
# TILES: ld.global.nc.b32
# TILES: bar.sync
# TILES: ld.shared.b32
#
# One entry alone: no load behind a store, or only in the next turn of a loop; memory behind a pointer; calls that stay; a product that several sums use;
# what other blocks or grids may have written meanwhile: behind fences, and where an atomic operation's result is used.
# RUN: %{apart} 'dot(%{vector}, %{vector}, Int32)' 2>&1 | %filecheck %s --check-prefix=ONE
# RUN: %{apart} 'strided(%{vector}, %{vector}, Float32)' 2>&1 | %filecheck %s --check-prefix=ONE
# RUN: %{apart} 'behind_pointer(%{vector}, Core.LLVMPtr{Float32,1}, Int32)' 2>&1 | %filecheck %s --check-prefix=ONE
# RUN: %{apart} 'calls(%{vector}, %{vector}, Int32)' 2>&1 | %filecheck %s --check-prefix=ONE
# RUN: %{apart} 'fenced(%{vector}, %{vector}, Float32)' 2>&1 | %filecheck %s --check-prefix=ONE
# RUN: %{apart} 'waits(%{vector}, %{vector}, CuDeviceVector{Int32,1})' 2>&1 | %filecheck %s --check-prefix=ONE
# RUN: %{apart} 'products(%{vector}, %{vector}, Float32)' 2>&1 | %filecheck %s --check-prefix=ONE
# RUN: %kiln compile %s --target ptx -g0 'pairs(%{vector}, %{vector}, Float32)' | %filecheck %s --check-prefix=ONE
# ONE-NOT: _apart
# ONE: .entry
# ONE-NOT: _apart
# ONE-NOT: ld.global.nc
using CUDA

place() = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
threads() = gridDim().x * blockDim().x

function strided(y, x, a)
    i = place()
    while i <= length(y)
        @inbounds y[i] = a * x[i] + 1.0f0
        i += threads()
    end
    return
end
function pairs(y, x, a)
    i = place()
    while i < length(y)
        @inbounds y[i] = a * x[i] + 1.0f0
        @inbounds y[i + 1i32] = a * x[i + 7i32] + 1.0f0
        i += threads()
    end
    return
end
function fenced(y, x, a)
    i = place()
    @inbounds y[i] = a * x[i] + 1.0f0
    threadfence()
    @inbounds y[i + 1i32] = a * x[i + 7i32] + 1.0f0
    return
end
function waits(y, x, flag)
    i = place()
    @inbounds y[i] = x[i]
    while CUDA.atomic_or!(pointer(flag), Int32(0)) == 0i32
    end
    @inbounds y[i + 1i32] = x[i + 7i32]
    return
end
function table(y, x, n)
    i = place()
    for k in 1i32:n
        @inbounds y[i + k] = x[1] * x[2] + x[k + i]
    end
    return
end
function sums(y, x, n)
    i = place()
    for k in 0i32:n
        @inbounds y[i] += x[i + k]
    end
    return
end
function both(y, x, n)
    for k in 1i32:n
        @inbounds y[k] = x[k + 1i32]
        n == 7i32 && @inbounds x[k] = 0.0f0
    end
    return
end
function atomic(y, x)
    i = place()
    while i <= length(x)
        @inbounds CUDA.@atomic y[1] += x[i]
        @inbounds CUDA.@atomic y[2] += x[i + 1i32]
        i += threads()
    end
    return
end
function checked(y, x, n)
    for k in 1i32:n
        y[k] = x[k + n]
        y[k + n] = x[k + 2i32 * n]
    end
    return
end
function tiles(y, x, n)
    tile = CuStaticSharedArray(Float32, 64)
    for k in 0i32:n
        @inbounds tile[threadIdx().x] = x[threadIdx().x + 64i32 * k]
        sync_threads()
        @inbounds y[threadIdx().x + 64i32 * k] = tile[65i32 - threadIdx().x] + x[1]
        sync_threads()
    end
    return
end
function dot(y, x, n)
    sum = 0.0f0
    for k in 1i32:n
        @inbounds sum += x[k] * x[k + n]
    end
    @inbounds y[place()] = sum
    return
end
function behind_pointer(y, p, n)
    for k in 1i32:n
        @inbounds y[k] = unsafe_load(p, k)
    end
    return
end
@noinline function store(y, k, v)
    @inbounds y[k] = v
    return
end
function calls(y, x, n)
    for k in 1i32:n
        @inbounds store(y, k, x[k])
    end
    return
end
function products(y, x, a)
    i = place()
    while i <= length(y) - 1
        @inbounds p = a * x[i]
        @inbounds y[i] = p + 1.0f0
        @inbounds y[i + 1i32] = p - 2.0f0
        i += threads()
    end
    return
end
function rows(y, x, n)
    row = 0i32
    while row < Int32(length(y))
        sum = 0.0f0
        k = threadIdx().x
        while k <= Int32(length(x))
            @inbounds sum += x[k]
            k += blockDim().x
        end
        @inbounds y[div(row, n) + threadIdx().x] = sum
        row += gridDim().x
    end
    return
end
