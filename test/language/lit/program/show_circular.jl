# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Collections that hold themselves. As Base.show_circular: what is being shown already is a mark that says how many collections further out it stands.
#
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines --strict-whitespace
mutable struct Node
    next
end
a = Any[]
push!(a, a)
println(a)
#      CHECK:Any[Any[#= circular reference @-1 =#]]
display(a)
# CHECK-NEXT:1-element Vector{Any}:
# CHECK-NEXT: Any[#= circular reference @-1 =#]
b = Any[1]
c = Any[b]
push!(b, c)
println(b, " ", repr(c))
# CHECK-NEXT:Any[1, Any[Any[#= circular reference @-2 =#]]] Any[Any[1, Any[#= circular reference @-2 =#]]]
d = Dict{Any,Any}()
d[1] = d
println(d)
# CHECK-NEXT:Dict{Any, Any}(1 => Dict{Any, Any}(#= circular reference @-1 =#))
display(d)
# CHECK-NEXT:Dict{Any, Any} with 1 entry:
# CHECK-NEXT:  1 => Dict{Any, Any}(#= circular reference @-1 =#)
n = Node(nothing)
n.next = n
println(n, " ", string(Node(n)))
# CHECK-NEXT:Node(Node(#= circular reference @-1 =#)) Node(Node(Node(#= circular reference @-1 =#)))
v = Any[]
t = (v,)
push!(v, t)
println(t)
# CHECK-NEXT:(Any[(#= circular reference @-2 =#)],)
r = Ref{Any}(1)
r[] = Any[r]
println(r)
# CHECK-NEXT:Base.RefValue{Any}(Any[Base.RefValue{Any}(#= circular reference @-2 =#)])
m = Any[1 2; 3 4]
m[1, 1] = m
println(m)
# CHECK-NEXT:Any[Any[#= circular reference @-1 =#] 2; 3 4]
x = Any[a, a]                                      # twice, but not inside itself
println(x)
# CHECK-NEXT:Any[Any[Any[#= circular reference @-1 =#]], Any[Any[#= circular reference @-1 =#]]]
@show n
# CHECK-NEXT:n = Node(Node(#= circular reference @-1 =#))
