# The program of GPUCompiler.jl's issue 65: the step of Adam as Flux v0.12.6 has it, over CuArrays, in three fused
# statements. It runs as it is with CUDA.jl under Julia and with `kiln script`.
using CUDA

const ϵ = 1e-8

mutable struct ADAM
    eta::Float64
    beta::Tuple{Float64,Float64}
    state::IdDict
end
ADAM(η=0.001, β=(0.9, 0.999)) = ADAM(η, β, IdDict())

function apply!(o::ADAM, x, Δ)
    η, β = o.eta, o.beta

    mt, vt, βp = get!(o.state, x) do
        (zero(x), zero(x), Float64[β[1], β[2]])
    end::Tuple{typeof(x),typeof(x),Vector{Float64}}

    @. mt = β[1] * mt + (1 - β[1]) * Δ
    @. vt = β[2] * vt + (1 - β[2]) * Δ^2
    @. Δ = mt / (1 - βp[1]) / (√(vt / (1 - βp[2])) + ϵ) * η
    βp .= βp .* β

    return Δ
end

function adam_combined!(o, x, Δ)
    apply!(o, x, Δ)
    CUDA.synchronize()
    return Δ
end

function main()
    x = CUDA.rand(1024)
    Δ = CUDA.rand(1024)
    start = Array(Δ)
    o = ADAM()
    print("first call: ")
    @time adam_combined!(o, x, Δ)
    # The first step divides each moment by what makes it the gradient's own, so each entry is nearly η.
    first_step = Array(Δ)
    expected = [0.001 * g / (abs(g) + 1e-8) for g in Float64.(start)]
    worst = maximum(abs.(first_step .- expected))
    println(worst < 1e-6 ? "right" : "wrong: $worst")
    print("second call: ")
    @time adam_combined!(o, x, Δ)
    return
end

main()
