"Shapes, with modules inside modules."
module Shapes
using Reexport
import VectorTools
export area, Square
include("square.jl")
module Inner
import ..Shapes: Square
using ..Shapes
export twice
twice(s::Square) = 2 * area(s)
module Deepest
import ..twice
import ...Shapes: area as surface
quad(s) = 2 * twice(s) + surface(s)
end
end
@reexport using .Inner
@reexport using VectorTools: tools_sum
using Shapes: area as own_area
end
