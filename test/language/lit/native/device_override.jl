# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# CUDA.@device_override: a method that kernels see, on every target, and nothing else does. In CUDA.jl it is a method of the
# overlay table that GPU compilation searches before Julia's own.
#
# RUN: %kiln run %s all_overrides --arg 'zeros(Float64, 12)' --device cpu --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=KERNEL
# KERNEL: values 2.0 -3.0 20.0 8.0 100.0 7.0 6.0 30.0 9.0 12.0 5.0 42.0
#
# What runs on the host: a plain function, an expression at top level.
# RUN: %kiln run %s host_values --no-kernel | %filecheck %s --check-prefix=HOST
# HOST: (1, 4.0, 2, 1)
# RUN: %kiln run %s store --arg 'zeros(Int64, 1)' --arg 'plain()' --device cpu --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=TOP
# TOP: values 1
#
# RUN: %kiln compile %s 'one_value(CuDeviceVector{Int64,1})' --target ptx | %filecheck %s --check-prefix=PTX
# PTX: st.global.b64 {{.*}}, 2;
#
# What the target's own overlay defines, the user's override comes before: no libdevice, no approximation.
# RUN: %kiln compile %s 'wave(CuDeviceVector{Float64,1}, Float64)' --target ptx | %filecheck %s --check-prefix=SIN
# SIN-NOT: {{_sin|__nv}}
# SIN: add.{{(rn.)?}}f64
#
# Another process finds what this one left, and does not confuse the two meanings.
# RUN: rm -rf %t.cache
# RUN: %kiln run %s all_overrides --arg 'zeros(Float64, 12)' --device cpu --out 1=%t.npy --cache %t.cache
# RUN: %kiln run %s host_values --no-kernel --cache %t.cache | %filecheck %s --check-prefix=HOST
# RUN: %kiln run %s all_overrides --arg 'zeros(Float64, 12)' --device cpu --out 1=%t.npy --cache %t.cache --timings 2>&1 | %filecheck %s --check-prefix=HIT
# HIT-NOT: inference
# HIT-NOT: emission
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=KERNEL
# RUN: %kiln run %s host_values --no-kernel --cache %t.cache | %filecheck %s --check-prefix=HOST
#
# RUN: %status 1 %kiln compile %S/inputs/bad_override.jl 'f(Int64)' 2>&1 | %filecheck %s --check-prefix=BAD
# BAD: bad_override.jl:5:1: syntax error[101]: @device_override takes the definition of a method, not `x = 1`
# BAD: hint: write @device_override f(x) = ..., for each method
# BAD: bad_override.jl:9:1: syntax error[101]: @device_override takes the definition of a method{{$}}

using CUDA
using CUDA: @device_override

plain() = 1
CUDA.@device_override plain() = 2

typed(x) = x
@device_override typed(x::T) where {T<:AbstractFloat} = -x

function long_form(x)
    return x
end
"It has a doc string."
CUDA.@device_override function long_form(x)
    return 10x
end

with_keywords(x; by = 2) = x
@device_override @inline with_keywords(x; by = 2) = x * by

struct Meters
    x::Float64
end
Base.abs(m::Meters) = m.x
@device_override Base.abs(m::Meters) = 100.0

optional(x, y = 1) = x
@device_override optional(x, y = 3) = x + y

# Defined by its override alone.
CUDA.@device_override only_device(x) = 2x

# Helpers are called from both.
helper(x) = plain() * x

# A later definition replaces an earlier one of the same table.
twice() = 1
@device_override twice() = 8
@device_override twice() = 9

# Definition of the host after the override: the override stays.
late() = 1
@device_override late() = 12
late() = 2

for (name, value) in ((:looped, 5),)
    @eval $name() = 0
    @eval CUDA.@device_override $name() = $value
end

closure_host() = 1
@device_override closure_host() = sum(map(x -> 2x, (10, 11)))

@device_override Base.sin(x::Float64) = x + 1.0

function all_overrides(o)
    o[1] = plain()
    o[2] = typed(3.0)
    o[3] = long_form(2)
    o[4] = with_keywords(4)
    o[5] = abs(Meters(1.0))
    o[6] = optional(4)
    o[7] = only_device(3)
    o[8] = helper(15)
    o[9] = twice()
    o[10] = late()
    o[11] = looped()
    o[12] = closure_host()
    return
end

function one_value(o)
    o[1] = plain()
    return
end

function wave(o, x)
    o[1] = sin(x)
    return
end

function store(o, x)
    o[1] = x
    return
end

host_values() = (plain(), typed(4.0), late(), closure_host())
