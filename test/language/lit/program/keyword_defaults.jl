# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The default of an argument sees the arguments before it; its own name, and those of later ones, mean what they mean outside (Julia's manual, "Keyword
# Arguments" and "Evaluation Scope of Default Values").
#
# RUN: %kiln script --device cpu %s | %filecheck %s
using CUDA
g(x; length=length(x)) = length
println(g([1, 2, 3]), " ", g([1, 2]; length=7))
# CHECK: 3 7
b = 10
h(x, b=b + x) = b
k(x; a=b, b=a + 1) = (a, b)
println(h(1), " ", h(1, 2), " ", k(0), " ", k(0; a=1), " ", k(0; b=1))
# CHECK-NEXT: 11 2 (10, 11) (1, 2) (10, 1)
struct Scaled
    factor
end
(s::Scaled)(x; abs=abs(x), s2=s.factor) = abs * s2
println(Scaled(2)(-3), " ", Scaled(2)(-3; abs=1))
# CHECK-NEXT: 6 2
function outer(v)
    inner(x, first=first(x); length=length(x), last=last(x) + first) = (first, length, last)
    return (inner(v), inner(v, 5), inner(v; length=1), inner(v, 1; last=0))
end
println(outer([2, 3, 4]))
# CHECK-NEXT: ((2, 3, 6), (5, 3, 9), (2, 1, 6), (1, 3, 0))
println(let f(x; k=1) = (x, k); (f(1), f(2; k=3)) end)
# CHECK-NEXT: ((1, 1), (2, 3))
println(let a = 2, f(x, y=a) = x * y, c = f(5); (f(1), c, f(2, 3)) end)
# CHECK-NEXT: (2, 10, 6)
fact = let f(n; acc=1) = n <= 1 ? acc : f(n - 1; acc=acc * n); f end
println(fact(5), " ", ((x; abs=abs(x)) -> abs)(-2))
# CHECK-NEXT: 120 2
local_sum(x; init=0) = let add(y; by=init) = y + by; add(x) end
println(local_sum(1), " ", local_sum(1; init=5))
# CHECK-NEXT: 1 6
function kernel(out, x)
    i = threadIdx().x
    scaled(v; abs=abs(v)) = abs * 2
    out[i] = g2(x[i]) + scaled(x[i])
    return
end
g2(x; abs=abs(x)) = abs
out = CUDA.zeros(Int, 2)
@cuda threads = 2 kernel(out, CuArray([-1, 2]))
println(Array(out))
# CHECK-NEXT: [3, 6]
# An unknown keyword is a MethodError (Julia's manual, "Keyword Arguments"), of a function at top level, a nested one and a type.
struct Keyed
    x
    Keyed(; x=1) = new(x)
end
function refused(f, args...; kw...)
    try
        return f(args...; kw...)
    catch e
        return (e isa MethodError, e.f === Core.kwcall, e.args[1], e.args[3:end])
    end
end
plain(x, rest...; a=1) = x + a
println(refused(plain, 1; bad=2), " ", refused(plain, 1, 2; a=3, bad=4), " ", refused(plain, 1; a=3))
# CHECK-NEXT: (true, true, (bad = 2,), (1,)) (true, true, (a = 3, bad = 4), (1, 2)) 4
println(refused(Keyed; y=1), " ", let f(x; k=1) = (x, k); refused(f, 2; l=1) end)
# CHECK-NEXT: (true, true, (y = 1,), ()) (true, true, (l = 1,), (2,))
println(sprint(showerror, try plain(1; bad=2.0) catch e; e end))
# CHECK-NEXT: MethodError: no method matching plain(::Int64; bad::Float64)
println(count([true, false, true]; init=5), " ", count(isodd, [1, 2, 3]; init=0x03))
# CHECK-NEXT: 7 5
# BenchmarkTools' `setup` has variables of its own.
using BenchmarkTools
println(@ballocated(plain(x), setup = (x = 3)), " ", (@belapsed plain(x) setup = (y = 1; x = y)) > 0, " ", @isdefined(x))
# CHECK-NEXT: 0 true false
println(typeof(Base.reduce_empty(+, Bool)), " ", Base.reduce_empty(*, Float32), " ", Base._unsetindex!([1, 2], 2)[1], " ", Base._typed_vcat(Float32, ([1], [2])))
# CHECK-NEXT: Int64 1.0 1 Float32[1.0, 2.0]
