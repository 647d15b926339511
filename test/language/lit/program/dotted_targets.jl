# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
# Targets of dotted assignments: a part of an array is a view, an element is the array that it holds. Indices are
# evaluated once.
a = [[1, 2], [3]]; a[1] .+= 1; println(a)
d = Dict(:x => [1.0, 2.0]); d[:x] .*= 2; println(d[:x])
struct H; v::Vector{Int}; end
h = [H([1])]; h[1].v .= 9; println(h[1].v)
m = zeros(2, 2); m[1, :] .= 3; println(m); m[:, 2] .= [5, 6]; println(m)
t = ([1, 2], [3]); t[1] .= 0; println(t)
try; b = [1, 2]; b[1] .= 5; println(b) catch e; println(typeof(e)) end
@views m[2, :] .= m[1, :]; println(m)
n = 0
f() = (global n += 1; 1)
c = [1, 2, 3]
c[f():2] .+= 1
println(n, " ", c)
# CHECK: [{{\[}}2, 3], [3]]
# CHECK-NEXT: [2.0, 4.0]
# CHECK-NEXT: [9]
# CHECK-NEXT: [3.0 3.0; 0.0 0.0]
# CHECK-NEXT: [3.0 5.0; 0.0 6.0]
# CHECK-NEXT: ([0, 0], [3])
# CHECK-NEXT: MethodError
# CHECK-NEXT: [3.0 5.0; 3.0 5.0]
# CHECK-NEXT: 1 [2, 3, 3]
