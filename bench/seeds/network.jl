# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Trains a network of two layers on minibatches of 100 columns: products, dotted calls, sums, fields of mutable structs
# and functions in fields of abstract type. host_loops.py sets `turns` and prints the time of one minibatch.
mutable struct Layer
    weights::CuMatrix{Float32}
    bias::CuVector{Float32}
    activation::Function
    slope::Function
    input
    sums
end
rectified(x) = max(x, 0.0f0)
rectified_slope(x) = x > 0.0f0 ? 1.0f0 : 0.0f0
logistic(x) = 1.0f0 / (1.0f0 + exp(-x))
logistic_slope(x) = logistic(x) * (1.0f0 - logistic(x))
new_layer(inputs, outputs, f, slope) = Layer(CUDA.randn(outputs, inputs) .* sqrt(2.0f0 / inputs), CUDA.zeros(outputs), f, slope, nothing, nothing)
function predict(layers, x)
    for layer in layers
        layer.input = x
        layer.sums = layer.weights * x .+ layer.bias
        x = layer.activation.(layer.sums)
    end
    return x
end
function train!(layers, x, y, rate)
    p = clamp.(predict(layers, x), 1.0f-6, 1.0f0 - 1.0f-6)
    cost = -sum(@. y * log(p) + (1.0f0 - y) * log(1.0f0 - p)) / size(x, 2)
    d = @. -(y / p - (1.0f0 - y) / (1.0f0 - p))
    for layer in Iterators.reverse(layers)
        g = d .* layer.slope.(layer.sums)
        d = layer.weights' * g
        layer.weights .-= (rate / size(x, 2)) .* (g * layer.input')
        layer.bias .-= (rate / size(x, 2)) .* vec(sum(g; dims=2))
    end
    return cost
end
