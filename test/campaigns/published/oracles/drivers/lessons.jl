# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Includes a published program of first steps, the first argument, and prints the values of its globals and functions.

program = joinpath(splitpath(ARGS[1])[end-1:end]...)
include(ARGS[1])

out(name, value) = println("> ", name, ": ", value)

if program == "julia-examples/partial-diff-eq2.jl"
    out("U", U)
elseif program == "julia-examples/factorials.jl"
    foreach(value -> out("factorial", value), factorials)
elseif program == "julia-examples/linear-algebra.jl"
    for (name, value) in (("A", A), ("C", C), ("b", b), ("Asym", Asym), ("Apd", Apd), ("solved", A \ b), ("tall", Atall \ b))
        out(name, value[:])
    end
    out("same", (A === B, A === C, Acongj == permutedims(A)))
elseif program == "BasicProblems/logistic_map.jl"
    for (rate, row) in zip(r, eachrow(X))
        out("row", [rate; row])
    end
elseif program == "BasicProblems/binomial.jl"
    println()
    draws = [binomial_rv(10, 0.25) for _ in 1:4000]
    out("mean", sum(draws) / length(draws))
    out("range", extrema(draws))
    out("certain", (binomial_rv(7, 0.0), binomial_rv(7, 1.0)))
elseif program == "StockProblem/distribution.jl"
    for n in (3, 10, 50)
        out("probabilities", get_probilities(n))
    end
    out("prices", get_prices(1.25, 0.5, 4))
elseif program == "julia-examples/basic-linear-algebra.jl"
    out("products", (A1 * x, A0 * x, S3 * x, (A6 * [1, 2])))
    out("Q5", Q5[:])
elseif program == "julia-examples/basic-plotting.jl"
    out("y1", y1)
    out("y2", y2)
elseif program == "julia-examples/subplots.jl"
    out("x", (length(x), first(x), last(x), x[1001], sum(x .^ 2)))
elseif program == "julia-examples/partial-diff-eq.jl"
    out("u", u.(x[1:317:end]))
elseif program == "Julia-Tutorials/L3.jl"
    out("fx", [fx(value) for value in -14:10])
elseif program == "BasicProblems/timeseries_generation.jl"
    out("series", (length(X), length.(X), [series[1] for series in X]))
    out("shocks", [sum(abs2, series[2:end] - alpha * series[1:end-1]) / (T - 1) for (alpha, series) in zip(alphas, X)])
elseif program == "finch-bc-gpu/cuda_test1.jl"
    out("result", Array(res_d))
elseif program == "cudajl/start.jl"
    out("result", (unique(Array(xd)), length(unique(Array(yd))), Array(yd)[1] % 1))
end
