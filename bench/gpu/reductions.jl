# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Reductions and products of programs on one device: device time of a call by events, and host time of a small one. `kiln script --device cuda reductions.jl [LOG2 [ROUNDS]]`.
using CUDA, LinearAlgebra

const count = 2^(isempty(ARGS) ? 26 : parse(Int, ARGS[1]))
const rounds = length(ARGS) < 2 ? 9 : parse(Int, ARGS[2])
middle(v) = sort(v)[cld(length(v), 2)]
# The median of rounds of ten calls, in us: on the device, and on the host with the wait for the last.
function measure(f)
    f()
    f()
    CUDA.synchronize()
    device = [(CUDA.@elapsed for k in 1:10
        f()
    end) * 1e5 for r in 1:rounds]
    host = Float64[]
    for r in 1:rounds
        began = time()
        for k in 1:10
            f()
        end
        CUDA.synchronize()
        push!(host, (time() - began) * 1e5)
    end
    return middle(device), middle(host)
end
const A = CUDA.rand(Float32, count)
const B = CUDA.rand(Float32, count)
const side = 2^(Int(log2(count)) ÷ 2)
const M = reshape(A, side, count ÷ side)
const small = CUDA.rand(Float32, 1000)
const C = similar(A)
function copied()
    copyto!(C, A)
end
for (name, f, bytes) in (
    ("copyto!", copied, 8count),
    ("sum", () -> sum(A), 4count),
    ("maximum", () -> maximum(A), 4count),
    ("mapreduce abs2", () -> mapreduce(abs2, +, A), 4count),
    ("dot", () -> dot(A, B), 8count),
    ("norm", () -> norm(A), 4count),
    ("all", () -> all(>(-1), A), 4count),
    ("sum, dims=1", () -> sum(M; dims=1), 4count),
    ("sum, dims=2", () -> sum(M; dims=2), 4count),
    ("maximum, dims=1", () -> maximum(M; dims=1), 4count),
    ("cumsum", () -> cumsum(A), 8count),
    ("cumsum, dims=1", () -> cumsum(M; dims=1), 8count),
    ("cumsum, dims=2", () -> cumsum(M; dims=2), 8count),
    ("sort, 2^20", () -> sort(view(A, 1:min(count, 2^20))), 0),
    ("findall", () -> findall(>(0.5f0), A), 4count),
    ("sum of 1000", () -> sum(small), 4000),
    ("x .+ y of 1000", () -> small .+ small, 8000),
    ("x .= y of 1000", () -> small .= 1f0, 8000))
    device, host = measure(f)
    println(rpad(name, 18), lpad(string(round(device; digits=1)), 12), " us ", lpad(string(round(bytes / device * 1e-3; digits=0)), 8), " GB/s ", lpad(string(round(host; digits=1)), 12), " us with the host")
end
