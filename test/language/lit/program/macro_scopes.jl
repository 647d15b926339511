# RUN: %kiln script --device cpu %s | %filecheck %s
# Macro calls in the quotes of macros, and code from Expr values. Values follow from Julia's manual: an escaped name of
# an inner macro belongs to the expansion that calls it.
macro through(x)
    esc(x)
end
macro through_call(x)
    :(identity($(esc(x))))
end
macro twice(x)
    quote
        own = $(esc(x))
        println(@through(own + 1), " ", @through_call(own + $(esc(x))))
    end
end
own = 100
@twice 3
# CHECK: 4 6
in_function(own) = @twice own
in_function(5)
# CHECK-NEXT: 6 10
macro count_uses(ex)
    ex isa Expr && ex.head === :escape ? "escaped" : string(ex)
end
macro pass(x)
    :((@count_uses($(esc(x))), @count_uses(y)))
end
println(@pass a + b)
# CHECK-NEXT: ("escaped", "y")

# Hints for the compiler stay in expanded code, and have no value.
macro marked()
    Expr(:block, Expr(:meta, :begin_mark), 7, Expr(:meta, :end_mark))
end
ex = macroexpand(Main, :(@marked))
println(length(ex.args), " ", ex.args[1].head, " ", ex.args[3].args[1], " ", @marked)
# CHECK-NEXT: 3 meta end_mark nothing
# Lines are removed from blocks alone.
call = Base.remove_linenums!(:(begin
    @twice 1
end))
println(length(call.args), " ", length(call.args[1].args))
# CHECK-NEXT: 1 3

println(eval(Expr(:&&, true, 1 < 2, 5)), " ", eval(Expr(:||, 4)), " ", eval(:(function (a::Int; b=2)
    a + b
end))(1))
# CHECK-NEXT: 5 4 3
for malformed in (Expr(:if), Expr(:while, 1), Expr(:(+=)), Expr(:for, :x, :y), Expr(:unread, 1, 2))
    try
        eval(malformed)
    catch e
        println(occursin("Expr of head", sprint(showerror, e)))
    end
end
# CHECK-COUNT-5: true
println([;], " ", size([;;]), " ", size(Int[;;;]), " ", :([;;]).args)
# CHECK-NEXT: Any[] (0, 0) (0, 0, 0) Any[2]
