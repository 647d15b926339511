# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An extension is loaded when all its triggers are, in whatever order: packages that Kiln brings, and others. As in Julia,
# LinearAlgebra and Random are there from the beginning, and a trigger may be loaded by another package.
#
# RUN: %kiln script %s --load-path %S/inputs/extensions 2>&1 | %filecheck %s
# RUN: sh -c 'for t in Adapt GPUArraysCore GPUArrays StaticArrays Atomix Statistics KernelAbstractions Other; do \
# RUN:   for order in "$t, Many" "Many, $t"; do echo "using $order; print(Many.has(Val(:$t)), \" \")"; done >%t.jl; \
# RUN:   %kiln script %t.jl --load-path %S/inputs/extensions; sed 1d %t.jl >%t.2.jl; %kiln script %t.2.jl --load-path %S/inputs/extensions; echo $t; done' 2>&1 | %filecheck %s --check-prefix=EACH
# EACH: true true true Adapt
# EACH-NEXT: true true true GPUArraysCore
# EACH-NEXT: true true true GPUArrays
# EACH-NEXT: true true true StaticArrays
# EACH-NEXT: true true true Atomix
# EACH-NEXT: true true true Statistics
# EACH-NEXT: true true true KernelAbstractions
# EACH-NEXT: true true true Other

using Many
loaded() = [name for name in (:Absent, :Adapt, :Atomix, :GPUArrays, :GPUArraysCore, :LinearAlgebra, :Other, :Pair, :Random, :Statistics) if Many.has(Val(name))]
println(loaded())
# CHECK: [:LinearAlgebra, :Random]
println(Base.get_extension(Many, :ManyPairExt) === nothing)
# CHECK-NEXT: true
using Statistics
println(loaded())
# CHECK-NEXT: [:LinearAlgebra, :Random, :Statistics]
import Other
println(loaded())
# CHECK-NEXT: [:LinearAlgebra, :Other, :Pair, :Random, :Statistics]
println(Base.get_extension(Many, :ManyPairExt).answer(), " ", Base.get_extension(Many, :ManyNoExt))
# CHECK-NEXT: 42.0 nothing
using GPUArraysCore
println(loaded())
# CHECK-NEXT: [:Adapt, :GPUArraysCore, :LinearAlgebra, :Other, :Pair, :Random, :Statistics]
using CUDA
println(loaded())
# CHECK-NEXT: [:Adapt, :Atomix, :GPUArrays, :GPUArraysCore, :LinearAlgebra, :Other, :Pair, :Random, :Statistics]
