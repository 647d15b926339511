# RUN: %kiln script %s | %filecheck %s
# @views over definitions: slices in their bodies are views. Expected values are Julia's.
@views function first_two(a)
    b = a[1:2]
    b .= 7
    return sum(a[1:3])
end
x = [1, 2, 3]
println(first_two(x), " ", x)
# CHECK: 17 [7, 7, 3]
@views short(a) = a[2:3]
short(x)[1] = 10
println(x)
# CHECK-NEXT: [7, 10, 3]
@views @inline typed(a::Vector{T}; from=1) where {T} = a[from:end]
typed(x; from=3)[1] = 30
println(x)
# CHECK-NEXT: [7, 10, 30]
@views begin
    function in_block(a)
        a[1:1]
    end
    also(a) = a[2:2]
end
in_block(x)[1] = 1
also(x)[1] = 2
println(x)
# CHECK-NEXT: [1, 2, 30]
function plain(a)
    b = a[1:2]
    b .= 0
    return b
end
plain(x)
println(x)
# CHECK-NEXT: [1, 2, 30]
