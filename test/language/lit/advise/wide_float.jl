# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln advise: Float64 arithmetic that a literal brought into a kernel of Float32. By Julia's rules of promotion
# Float32 * Float64 is a Float64.
# RUN: %kiln advise %s 'scaled(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' | %filecheck %s --check-prefix=SCALED --implicit-check-not=advice
# SCALED: wide_float.jl:[[#@LINE+23]]:38: advice: the literal 2.0 makes this Float64 arithmetic on narrower values, of which sm_90 does half as many a cycle as of Float32; write 2f0
# SCALED: wide_float.jl:[[#@LINE+22]]:44: advice: the literal 0.1 makes this {{.*}}; write 0.1f0
# RUN: %kiln advise %s 'scaled(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' --arch sm_86 | %filecheck %s --check-prefix=SM86
# SM86: wide_float.jl:[[#@LINE+20]]:38: advice: {{.*}}sm_86 does 1/64 as many
# RUN: %kiln advise %s 'scaled(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' --target native | %filecheck %s --check-prefix=NATIVE
# NATIVE: wide_float.jl:[[#@LINE+18]]:38: advice: the literal 2.0 {{.*}}a vector of the CPU holds half as many; write 2f0
# RUN: %kiln advise %s 'summed(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' | %filecheck %s --check-prefix=SUMMED --implicit-check-not=advice
# SUMMED: wide_float.jl:[[#@LINE+22]]:9: advice: the literal 0.0 makes this Float64 arithmetic{{.*}}; write 0f0
# RUN: %kiln advise %s 'called(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' | %filecheck %s --check-prefix=CALLED --implicit-check-not=advice
# CALLED: wide_float.jl:[[#@LINE+28]]:32: advice: the literal 1.5e-3 {{.*}}; write 1.5f-3
# CALLED-NEXT: {{^}}  `damped` is called at {{.*}}wide_float.jl:[[#@LINE+31]]:28{{$}}
# RUN: %kiln advise %s 'quotient(CuDeviceVector{Float32,1}, Int32)' | %filecheck %s --check-prefix=QUOTIENT --implicit-check-not=advice
# QUOTIENT: wide_float.jl:[[#@LINE+35]]:39: advice: the quotient of two integers makes this Float64 {{.*}}; convert first, Float32(a) / Float32(b), or
# Against: literals of Float32; a Float64 array; a Float64 that somebody asked for; what the optimiser makes narrow.
# RUN: %kiln advise %s 'narrow(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' | %empty
# RUN: %kiln advise %s 'scaled(CuDeviceVector{Float64,1}, CuDeviceVector{Float32,1})' | %empty
# RUN: %kiln advise %s 'scaled(CuDeviceVector{Float64,1}, CuDeviceVector{Float64,1})' | %empty
# RUN: %kiln advise %s 'asked(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' | %empty
# RUN: %kiln advise %s 'halved(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' | %empty
using CUDA

function scaled(y, x)
    i = threadIdx().x
    @inbounds y[i] = (x[i] * x[i]) * 2.0 + 0.1
    return
end

function summed(y, x)
    i = threadIdx().x
    s = 0.0
    for k in 1:length(x)
        @inbounds s += x[k]
    end
    @inbounds y[i] = s
    return
end

damped(x) = x + sqrt(abs(x)) * 1.5e-3

function called(y, x)
    i = threadIdx().x
    @inbounds y[i] = 3f0 * damped(x[i])
    return
end

function quotient(y, n)
    i = threadIdx().x
    @inbounds y[i] = sqrt(Float32(1 + i / n)) + i / n
    return
end

function narrow(y, x)
    i = threadIdx().x
    @inbounds y[i] = (x[i] * x[i]) * 2f0 + 0.1f0 + 1 - 2x[i]
    return
end

function asked(y, x)
    i = threadIdx().x
    s = 0.0
    for k in 1:length(x)
        @inbounds s += Float64(x[k])
    end
    @inbounds y[i] = s
    return
end

function halved(y, x)
    i = threadIdx().x
    @inbounds y[i] = x[i] * 0.5
    return
end

# A constant that was computed from literals: 2 / 3 is a Float64. Against: the Float64 that NVIDIA's sinf computes with for large arguments; a range of Float64s.
# RUN: %kiln advise %s 'computed(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' | %filecheck %s --check-prefix=COMPUTED --implicit-check-not=advice:
# COMPUTED: wide_float.jl:[[#@LINE+3]]:22: advice: the constant 0.6666666666666666, computed at compile time, makes this Float64 {{.*}}; convert it, Float32(...)
function computed(y, x)
    i = threadIdx().x
    @inbounds y[i] = (2 / 3) * x[i]
    return
end
# RUN: %kiln advise %s 'sines(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' | %empty
function sines(y, x)
    i = threadIdx().x
    @inbounds y[i] = sin(x[i]) / 3f0 + cos(x[i]) + tan(x[i])   # a / b
    return
end
# RUN: %kiln advise %s 'counted(CuDeviceVector{Int64,1}, Int64)' | %empty
function counted(y, n)
    y[1] = length(0.0:0.25:n)
    return
end
