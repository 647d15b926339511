# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Lists whose nodes hold each other: they may be longer than the stack is deep, also when they end.
#
# RUN: %stack 1024 %kiln script --device cpu %s | %filecheck %s
mutable struct Node
    value::Int
    next
end
struct Cons
    head
    tail
end
function chain(n)
    list = nothing
    for i in 1:n
        list = Node(i, list)
    end
    return list
end
function total(list)
    sum = 0
    while list !== nothing
        sum += list.value
        list = list.next
    end
    return sum
end
list = chain(200000)
println(total(list))
# CHECK: 20000100000
list = nothing
function cons(n)
    list = nothing
    for i in 1:n
        list = Cons(i, list)
    end
    return list.head
end
println(cons(100000))
# CHECK-NEXT: 100000
function nested(n)
    v = Any[]
    for i in 1:n
        v = Any[v]
    end
    return length(v)
end
println(nested(100000))
# CHECK-NEXT: 1
deep(n) = n == 0 ? 0 : 1 + deep(n - 1)
println(deep(1000))
# CHECK-NEXT: 1000
endless(x) = endless(x + 1) + 1
println(try endless(1) catch e typeof(e) end)
# CHECK-NEXT: StackOverflowError
