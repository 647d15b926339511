# RUN: %kiln script --device cpu %s | %filecheck %s
# invoke takes the method of the types that are named, and gives it the values.
h(x::Int) = "Int"
h(x) = "Any"
println(h(1), " ", invoke(h, Tuple{Any}, 1), " ", invoke(h, Tuple{Int}, 1))
# CHECK: Int Any Int
p(x::T) where {T<:Integer} = T
p(x::Int) = "special"
println(invoke(p, Tuple{Integer}, 1), " ", p(1))
# CHECK-NEXT: Int64 special
says(f) =
    try
        f()
    catch e
        println(typeof(e))
    end
says(() -> invoke(h, Tuple{String}, 1))
# CHECK-NEXT: TypeError
only_int(x::Int) = x
says(() -> invoke(only_int, Tuple{Any}, 1))
# CHECK-NEXT: MethodError
endless(x) = invoke(endless, Tuple{Any}, x)
says(() -> endless(1))
# CHECK-NEXT: StackOverflowError
