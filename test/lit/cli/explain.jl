# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln cache explain: which part of the key differs, down to the function that changed, and what the miss costs.
# RUN: rm -rf %t && mkdir %t && cp %s %t/k.jl && cd %t
# RUN: %kiln run k.jl kernel --arg 'zeros(Float32, 4)' --device cpu --cache c
# RUN: %kiln run k.jl kernel --arg 'zeros(Float32, 4)' --device cpu --cache c -g0
# RUN: %kiln cache explain k.jl 'kernel(CuDeviceVector{Float32,1})' --cache c | %filecheck %s --check-prefix=HIT
# HIT: hit:
# HIT-NOT: cost
# RUN: sed 's/2x/3x/' %s > k.jl && %kiln cache explain k.jl 'kernel(CuDeviceVector{Float32,1})' --cache c -g0 | %filecheck %s --check-prefix=CALLEE
# CALLEE: miss
# CALLEE-NEXT: nearest: kernel(CuDeviceArray{Float32, 1, 1})
# CALLEE-NEXT: callees: deep(::Float32): its code is another
# CALLEE-NEXT: cost of the miss: {{[0-9.]+}} ms, compiled now
# RUN: sed 's/STEP = 4/STEP = 5/' %s > k.jl && %kiln cache explain k.jl 'kernel(CuDeviceVector{Float32,1})' --cache c -g0 | %filecheck %s --check-prefix=CONSTANT
# CONSTANT: callees: Main.STEP: its value is another
# CONSTANT-NEXT: cost
# RUN: sed 's/^deep(x)/deep(x::Float32) = x\ndeep(x)/' %s > k.jl && %kiln cache explain k.jl 'kernel(CuDeviceVector{Float32,1})' --cache c -g0 | %filecheck %s --check-prefix=CALLEE
# RUN: sed 's/a::Float32/a::Int64/' %s > k.jl && %kiln cache explain k.jl 'kernel(CuDeviceVector{Float32,1})' --cache c -g0 | %filecheck %s --check-prefix=LAYOUT
# LAYOUT: callees: Main.Box
# RUN: sed 's/outer(y\[1\])/outer(y[2])/' %s > k.jl && %kiln cache explain k.jl 'kernel(CuDeviceVector{Float32,1})' --cache c -g0 | %filecheck %s --check-prefix=SOURCE
# SOURCE: source: the code of kernel itself is another
# RUN: sed 's/^deep/\n&/' %s > k.jl && %kiln cache explain k.jl 'kernel(CuDeviceVector{Float32,1})' --cache c -g0 | %filecheck %s --check-prefix=HIT
# RUN: %kiln cache explain k.jl 'kernel(CuDeviceVector{Float32,1})' --cache c | %filecheck %s --check-prefix=MOVED
# MOVED: callees: deep(::Float32): its code or its place in the file is another
# RUN: cp %s k.jl && cp %s other.jl && %kiln cache explain other.jl 'kernel(CuDeviceVector{Float32,1})' --cache c | %filecheck %s --check-prefix=PLACE
# PLACE: callees: {{.*}}place
# RUN: %kiln cache explain k.jl 'kernel(CuDeviceVector{Float64,1})' --cache c | %filecheck %s --check-prefix=TYPES
# TYPES: arguments: CuDeviceArray{Float32, 1, 1} there, CuDeviceArray{Float64, 1, 1} here
# TYPES-NEXT: cost
# RUN: %kiln cache explain k.jl 'kernel(CuDeviceVector{Float32,1})' --target ptx --cache c | %filecheck %s --check-prefix=TARGET
# TARGET: product: obj there, asm here
# TARGET-NEXT: target: native there, ptx here
# TARGET-NOT: cpu:
# TARGET-NOT: sm:
# RUN: %status 2 %kiln cache explain k.jl 'kernel(CuDeviceVector{Float32,1})' --emit typed --cache c 2>&1 | %filecheck %s --check-prefix=KIND
# KIND: explain is for --emit asm, obj and cubin
# RUN: %status 2 %kiln cache explain k.jl --cache c

const STEP = 4
struct Box
    a::Float32
end
deep(x) = 2x
outer(x) = deep(x) + STEP + Box(x).a
function kernel(y)
    y[1] = outer(y[1])
    return
end
