# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/version
# Stubs for plotting packages, since Kiln does not plot. A program that uses one still runs: the first plotting call
# prints a note, later calls do nothing.
struct NotDrawn end
show(io::IO, ::NotDrawn) = nothing
show(io::IO, ::MIME, ::NotDrawn) = nothing
mutable struct __Told
    is_told::Bool
end
const __drawing_told = __Told(false)
function __not_drawn(package)
    if !__drawing_told.is_told
        __drawing_told.is_told = true
        println(stderr, "┌ Warning: ", package, ": Kiln draws nothing; what the program draws is left out")
    end
    return NotDrawn()
end
module Plots
for name in (:plot, :plot!, :scatter, :scatter!, :heatmap, :heatmap!, :contour, :contour!, :contourf, :contourf!, :surface, :surface!, :histogram, :histogram!, :bar, :bar!, :quiver, :quiver!, :annotate!,
    :hline!, :vline!, :title!, :xlabel!, :ylabel!, :xlims!, :ylims!, :savefig, :png, :gif, :mp4, :frame, :default, :gr, :plotly, :pyplot, :closeall, :current, :Animation)
    @eval $name(args...; keywords...) = Base.__not_drawn("Plots")
end
macro animate(loop, rest...)
    return Expr(:block, esc(loop), :(Base.__not_drawn("Plots")))
end
macro gif(loop, rest...)
    return Expr(:block, esc(loop), :(Base.__not_drawn("Plots")))
end
export @animate, @gif, plot, plot!, scatter, scatter!, heatmap, heatmap!, contour, contour!, contourf, contourf!, surface, surface!, histogram, histogram!, bar, bar!, quiver, quiver!, annotate!, hline!,
    vline!, title!, xlabel!, ylabel!, xlims!, ylims!, savefig, png, gif, mp4, frame, default, gr, plotly, pyplot, closeall, current, Animation
end
