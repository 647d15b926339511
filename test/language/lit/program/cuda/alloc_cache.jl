# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# GPUArrays.AllocCache: memory of `@cached` expressions is used again, `@uncached` memory is not, and unsafe_free! of
# the cache frees it.
#
# RUN: %kiln script --device cpu %s | %filecheck %s
using CUDA, GPUArrays
cache = GPUArrays.AllocCache()
# CHECK: AllocCache(n_free=0, n_busy=0, sizeof=0 bytes)
println(cache)
# Two arrays of 400 bytes: the sums of each round need no new memory from the second round on.
function rounds(cache, n)
    x = CUDA.ones(Float32, 100)
    total = 0.0f0
    for i in 1:n
        GPUArrays.@cached cache begin
            y = x .+ Float32(i)
            z = y .* 2
            total += sum(z)
        end
    end
    return total
end
before = CUDA.allocations()
# CHECK-NEXT: 1100.0
println(rounds(cache, 1) + 700)
# CHECK-NEXT: AllocCache(n_free=2, n_busy=0, sizeof=800 bytes)
println(cache)
before = CUDA.allocations()
# CHECK-NEXT: 1 2800.0
s = rounds(cache, 4) # 2 * 100 * (2 + 3 + 4 + 5)
println(CUDA.allocations() - before, " ", s)
# CHECK-NEXT: true [7, 7] [5, 5] true
GPUArrays.@cached cache begin
    a = CuArray([7, 7])
    GPUArrays.@uncached b = CuArray([5, 5])
end
println(GPUArrays.storage(a).cached, " ", Array(a), " ", Array(b), " ", !GPUArrays.storage(b).cached)
# Memory of the same size, whatever the type and the shape.
GPUArrays.@cached cache c = CuArray(Float32[1 2; 3 4])
# CHECK-NEXT: true AllocCache(n_free=3, n_busy=0, sizeof=816 bytes)
println(GPUArrays.storage(c) === GPUArrays.storage(a), " ", cache)
# unsafe_free! of an array leaves cached memory alone; an exception gives the memory back to the cache.
try
    GPUArrays.@cached cache begin
        d = CuArray([1, 2])
        GPUArrays.unsafe_free!(d)
        println(GPUArrays.storage(d).freed, " ", Array(d), " ", cache)
        error("stop")
    end
catch e
    println(e.msg, " ", cache)
end
# CHECK-NEXT: false [1, 2] AllocCache(n_free=2, n_busy=1, sizeof=816 bytes)
# CHECK-NEXT: stop AllocCache(n_free=3, n_busy=0, sizeof=816 bytes)
# A nested expression with the same cache leaves the outer one's memory busy.
GPUArrays.@cached cache begin
    e1 = CuArray([1, 2])
    GPUArrays.@cached cache e2 = CuArray([3, 4])
    e3 = CuArray([5, 6])
    println(Array(e1), Array(e2), Array(e3))
    try
        GPUArrays.unsafe_free!(cache)
    catch e
        println(e.msg)
    end
end
# CHECK-NEXT: [1, 2][3, 4][5, 6]
# CHECK-NEXT: cannot free an AllocCache inside of `@cached` with it: free it after the expression
GPUArrays.unsafe_free!(cache)
# CHECK-NEXT: AllocCache(n_free=0, n_busy=0, sizeof=0 bytes) true 0 false 1
println(cache, " ", GPUArrays.storage(a).freed, " ", GPUArrays.storage(a).rc.count[], " ", GPUArrays.storage(b).freed, " ", GPUArrays.storage(b).rc.count[])
try
    Array(a)
catch e
    # CHECK-NEXT: ArgumentError: Attempt to use a freed reference.
    println(sprint(showerror, e))
end
