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
struct Animation
    dir::String
    frames::Vector{String}
end
Animation(dir::AbstractString=Base.tempname()) = Animation(dir, String[])
for name in (:plot, :plot3d, :scatter, :scatter3d, :bar, :barh, :barhist, :histogram, :histogram2d, :stephist, :scatterhist, :density, :heatmap, :plots_heatmap, :hexbin, :sticks, :hline,
    :vline, :hspan, :vspan, :ohlc, :contour, :contourf, :contour3d, :surface, :wireframe, :path3d, :mesh3d, :boxplot, :violin, :quiver, :curves, :pie, :portfoliocomposition, :lens,
    :annotate, :title, :spy, :areaplot, :groupedbar, :plot!, :plot3d!, :scatter!, :scatter3d!, :bar!, :barh!, :barhist!, :histogram!, :histogram2d!, :stephist!, :scatterhist!, :density!,
    :heatmap!, :plots_heatmap!, :hexbin!, :sticks!, :hline!, :vline!, :hspan!, :vspan!, :ohlc!, :contour!, :contourf!, :contour3d!, :surface!, :wireframe!, :path3d!, :mesh3d!, :boxplot!,
    :violin!, :quiver!, :curves!, :pie!, :portfoliocomposition!, :lens!, :annotate!, :title!, :spy!, :areaplot!, :groupedbar!, :xlims!, :ylims!, :zlims!, :xticks!, :yticks!, :zticks!,
    :xlabel!, :ylabel!, :zlabel!, :xflip!, :yflip!, :zflip!, :xgrid!, :ygrid!, :zgrid!, :xaxis!, :yaxis!, :zaxis!, :xgridstyle!, :ygridstyle!, :zgridstyle!, :xerror!, :yerror!, :zerror!,
    :xscale!, :yscale!, :zscale!, :xerror, :yerror, :zerror, :savefig, :png, :gif, :mp4, :mov, :webm, :frame, :buildanimation, :animate, :default,
    :reset_defaults, :theme, :closeall, :current, :gui, :twinx, :twiny, :cgrad, :palette, :font, :text, :stroke, :brush, :arrow, :grid, :bbox, :Shape, :Surface, :OHLC, :Plot,
    :Subplot, :translate, :translate!, :rotate, :rotate!, :scale!, :center, :coords, :partialcircle, :series_annotations, :plotattr, :plot_color, :scalefontsizes, :resetfontsizes, :attr!,
    :plotarea, :plotarea!, :annotations, :inline, :unzip, :backend, :backends, :backend_name, :is3d, :ispolar, :isvertical, :test_examples, :colorbar_title!,
    :legend!, :gr, :plotly, :plotlyjs, :pyplot, :pythonplot, :pgfplots, :pgfplotsx, :unicodeplots, :inspectdr, :gaston, :hdf5, :plotlybase)
    @eval $name(args...; keywords...) = Base.__not_drawn("Plots")
end
export Animation, plot, plot3d, scatter, scatter3d, bar, barh, barhist, histogram, histogram2d, stephist, scatterhist, density, heatmap, plots_heatmap, hexbin, sticks, hline, vline, hspan,
    vspan, ohlc, contour, contourf, contour3d, surface, wireframe, path3d, mesh3d, boxplot, violin, quiver, curves, pie, portfoliocomposition, lens, annotate, title, spy, areaplot,
    groupedbar, plot!, plot3d!, scatter!, scatter3d!, bar!, barh!, barhist!, histogram!, histogram2d!, stephist!, scatterhist!, density!, heatmap!, plots_heatmap!, hexbin!, sticks!, hline!,
    vline!, hspan!, vspan!, ohlc!, contour!, contourf!, contour3d!, surface!, wireframe!, path3d!, mesh3d!, boxplot!, violin!, quiver!, curves!, pie!, portfoliocomposition!, lens!,
    annotate!, title!, spy!, areaplot!, groupedbar!, xlims!, ylims!, zlims!, xticks!, yticks!, zticks!, xlabel!, ylabel!, zlabel!, xflip!, yflip!, zflip!, xgrid!, ygrid!, zgrid!, xaxis!,
    yaxis!, zaxis!, xgridstyle!, ygridstyle!, zgridstyle!, xerror!, yerror!, zerror!, xscale!, yscale!, zscale!, xerror, yerror, zerror, savefig, png, gif, mp4, mov,
    webm, frame, buildanimation, animate, default, reset_defaults, theme, closeall, current, gui, twinx, twiny, cgrad, palette, font, text, stroke, brush, arrow, grid,
    bbox, Shape, Surface, OHLC, Plot, Subplot, translate, translate!, rotate, rotate!, scale!, center, coords, partialcircle, series_annotations, plotattr, plot_color, scalefontsizes,
    resetfontsizes, attr!, plotarea, plotarea!, annotations, inline, unzip, backend, backends, backend_name, is3d, ispolar, isvertical, test_examples, 
    colorbar_title!, legend!, gr, plotly, plotlyjs, pyplot, pythonplot, pgfplots, pgfplotsx, unicodeplots, inspectdr, gaston, hdf5, plotlybase
macro animate(loop, rest...)
    return Expr(:block, esc(loop), :(Base.__not_drawn("Plots")))
end
macro gif(loop, rest...)
    return Expr(:block, esc(loop), :(Base.__not_drawn("Plots")))
end
macro layout(description)
    :(Base.__not_drawn("Plots"))
end
macro recipe(ex)
    nothing
end
macro userplot(ex)
    nothing
end
export @animate, @gif, @layout, @recipe, @userplot
end
