# RUN: %kiln script --device cpu %s | %filecheck %s
# A field or an element that was never set, as Julia tells it.
mutable struct Unset
    x::String
    Unset() = new()
end
try
    Unset().x
catch e
    println(e)
end
# CHECK: UndefRefError()
try
    Vector{String}(undef, 2)[1]
catch e
    println(e isa UndefRefError)
end
# CHECK-NEXT: true
