# RUN: %kiln script --device cpu %s | %filecheck %s
# M.@macro at top level defines what M's macro expands to, also where only M itself is imported.
using CUDA
import Adapt
struct Scaled{T}
    a::T
    b::Float32
end
Adapt.@adapt_structure Scaled
function times(f, out)
    out[threadIdx().x] = f.a[threadIdx().x] * f.b
    return
end
out = CUDA.zeros(4)
@cuda threads=4 times(Scaled(CUDA.ones(4), 3f0), out)
println(Array(out))
# CHECK: Float32[3.0, 3.0, 3.0, 3.0]
module Makes
macro constant(name)
    return :($(esc(name))() = 7)
end
end
Makes.@constant seven
println(seven())
# CHECK-NEXT: 7

# An expansion's own variables live as long as the whole of it.
macro twice(x)
    quote
        result = $(esc(x))
        println(result)
        result + result
    end
end
@twice 5
# CHECK-NEXT: 5
println(@twice(6) + 1)
# CHECK-NEXT: 6
# CHECK-NEXT: 13
println(@isdefined(result))
# CHECK-NEXT: false
macro assigned(x)
    return :($(esc(x)) = 41; nothing)
end
@assigned there
println(there + 1)
# CHECK-NEXT: 42
y = @twice(there)
# CHECK-NEXT: 41
println(y)
# CHECK-NEXT: 82

# A computed name M.f in a definition: its part may be a QuoteNode or an Expr(:quote).
module Named
f(x) = 0
end
by_node = Expr(:., :Named, QuoteNode(:f))
@eval $by_node(x::Int) = x + 1
for f in (:f,)
    by_quote = Expr(:., :Named, Expr(:quote, f))
    @eval function $by_quote(x::String)
        return 3
    end
end
println(Named.f(1), " ", Named.f("a"), " ", Named.f(1.5), " ", eval(Expr(:quote, :abc)))
# CHECK-NEXT: 2 3 0 abc
