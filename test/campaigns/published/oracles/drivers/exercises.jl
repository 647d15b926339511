# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Includes a published exercise, the first argument, calls its functions and prints their values.

using Random

program = basename(ARGS[1])

out(name, value) = println("> ", name, ": ", value)

paths = []

if program == "path.jl"
    plot(prices::Vector{Float64}; options...) = (push!(paths, prices); nothing)
    plot!(prices::Vector{Float64}; options...) = (push!(paths, prices); nothing)
end

include(ARGS[1])

if program == "go_counting.jl"
    places(points) = sort(Tuple{Int,Int}[(p.x, p.y) for p in points])
    for rows in (["  B  ", " BB  ", "BB   ", "B    ", "     "], [" BW ", " BW "], ["   W ", "WWWW ", "    W", "BBBBB", "     "])
        board = GoBoard(rows)
        for y in 1:length(rows), x in 1:length(rows[1])
            color, points = territory(board, x, y)
            out("territory", (x, y, color, places(points)))
        end
        out("owners", [(color, places(points)) for (color, points) in sort(collect(territories(board)); by = first)])
    end
    for (x, y) in ((0, 1), (5, 1))
        try
            territory(GoBoard(["    "]), x, y)
        catch problem
            out("thrown", typeof(problem))
        end
    end
elseif program == "utilities.jl"
    samples, labels = reshape(collect(1.0:60.0), 20, 3), [isodd(k) ? "a" : "b" for k in 1:20]
    X, y, X2, y2 = split(samples, labels)
    out("rows", sort([X[:, 1]; X2[:, 1]]))
    out("sizes", (size(X), size(X2), length(y), length(y2)))
    out("labels", all((isodd(Int(row)) ? "a" : "b") == label for (row, label) in zip([X[:, 1]; X2[:, 1]], [y; y2])))
    out("normal", normalize([1.0 2; 3 8; 5 5], [3.0 5; 7 2])[1][:])
    out("normal", normalize([1.0 2; 3 8; 5 5], [3.0 5; 7 2])[2][:])
    hot = onehot(["b", "a", "c", "a"], ["a", "b", "c"])
    out("hot", hot[:])
    out("cold", onecold(hot, ["a", "b", "c"]))
    Xn, yn, _, _, classes = prepare_data(samples, labels)
    out("prepared", [sum(Xn[:, k]) for k in 1:3])
    out("prepared", [sum(abs2, Xn[:, k]) for k in 1:3])
    out("classes", (classes, size(yn), sum(yn)))
elseif program == "path.jl"
    out("paths", (length(paths), unique(length.(paths)), unique(first.(paths))))
    for path in paths
        steps = log.(path[2:end] ./ path[1:end-1])
        out("path", [count(>(0), steps), extrema(steps[steps.>0])..., extrema(steps[steps.<0])..., path[end]])
    end
elseif program == "auxiliary.jl"
    out("minima", i_min)
    out("maxima", i_max)
    out("values", [fs[1], fs[500], fs[1000]])
end
