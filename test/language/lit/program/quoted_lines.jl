# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Quoted code holds its line numbers and docstrings as Julia's parser makes them (Julia's manual, "Metaprogramming": "Program representation";
# Base's LineNumberNode). A method that a macro returns stands at its last LineNumberNode.
#
# RUN: %kiln script --device cpu %s | %filecheck %s
tree(x) = repr(x)
tree(x::LineNumberNode) = string("L", x.line)
tree(x::Expr) = string("(", join([string(x.head); map(tree, x.args)], " "), ")")
show_tree(x) = println(tree(x))
show_tree(quote
    a
    b; c
end)
# CHECK: (block L12 :a L13 :b L13 :c)
show_tree(quote end)
# CHECK-NEXT: (block L16)
show_tree(:((a; b)))
# CHECK-NEXT: (block :a L18 :b)
show_tree(:(x -> x + 1))
# CHECK-NEXT: (-> :x (block L20 (call :+ :x 1)))
show_tree(:(f(x) = x))
# CHECK-NEXT: (= (call :f :x) (block L22 :x))
show_tree(:(function f(x)
    x
end))
# CHECK-NEXT: (function (call :f :x) (block L24 L25 :x))
show_tree(:(for i in 1, j in 2
    i
end))
# CHECK-NEXT: (for (block (= :i 1) (= :j 2)) (block L29 :i))
show_tree(:(let a = 1, b
    a
end))
# CHECK-NEXT: (let (block (= :a 1) :b) (block L33 :a))
show_tree(:(let a = 1
    a
end))
# CHECK-NEXT: (let (= :a 1) (block L37 :a))
show_tree(:(try
    a
catch e
    b
end))
# CHECK-NEXT: (try (block L41 :a) :e (block L43 :b))
show_tree(:(struct A
    x
    y::Int
end))
# CHECK-NEXT: (struct false :A (block L47 :x L48 (:: :y :Int)))
show_tree(Meta.parse("begin\na\nb end"))
# CHECK-NEXT: (block L2 :a L3 :b)
macro tree_of(ex)
    tree(ex)
end
println(@tree_of if a
    b
else
    c
end)
# CHECK-NEXT: (if :a (block L57 :b) (block L59 :c))

# A macro that makes a block without line numbers passes it on without them.
macro outer()
    Expr(:macrocall, Symbol("@tree_of"), __source__, Expr(:block, :a, 1))
end
println(@outer)
# CHECK-NEXT: (block :a 1)

documented = quote
    "about f"
    f(x) = x + 1
    "a statement"

    g(x) = x
end
println(documented.args[2].head, " ", documented.args[2].args[1] === GlobalRef(Core, Symbol("@doc")))
# CHECK-NEXT: macrocall true
println(documented.args[2].args[3], " ", tree(documented.args[2].args[4]), " ", documented.args[4])
# CHECK-NEXT: about f (= (call :f :x) (block L72 (call :+ :x 1))) a statement
println(eval(documented)(3), " ", f(2), " ", eval(Expr(:call, GlobalRef(Base, :max), 1, 2)))
# CHECK-NEXT: 3 3 2

# The place of a method comes from the line numbers of its code.
macro rebuilt(ex)
    esc(Expr(ex.head, map(x -> x isa Expr ? Expr(x.head, x.args...) : x, ex.args)...))
end
@rebuilt begin
    first_one(x) = x

    second_one(x) = x
end
println(which(first_one, (Int,)).line, " ", which(second_one, (Int,)).line)
# CHECK-NEXT: 89 91

println(Expr(:block, LineNumberNode(7, Symbol("some.jl")), :x), " ", repr(Expr(:block, LineNumberNode(8), :y)))
# CHECK-NEXT: begin
# CHECK-NEXT:     #= some.jl:7 =#
# CHECK-NEXT:     x
# CHECK-NEXT: end quote
# CHECK-NEXT:     #= line 8 =#
# CHECK-NEXT:     y
# CHECK-NEXT: end
# A dotted call is a call of the dotted operator, or a dot of a function and a tuple.
println(tree(:(a .+ f.(b; k=1))), " ", tree(:(.-a)), " ", tree(:(a .= b)))
# CHECK-NEXT: (call :.+ :a (. :f (tuple (parameters (kw :k 1)) :b))) (call :.- :a) (.= :a :b)
operator = :.*
println(eval(:([1, 2] .- 1)), eval(Expr(:call, operator, [1, 2], 3)), eval(Expr(:., :abs, Expr(:tuple, [-1, 2]))), eval(:(round.([1.26]; digits=1))))
# CHECK-NEXT: [0, 1][3, 6][1, 2][1.3]
