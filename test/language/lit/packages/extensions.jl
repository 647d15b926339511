# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An extension is loaded when all its triggers are, in whatever order: packages that Kiln brings, and others. As in Julia,
# LinearAlgebra and Random are there from the beginning, and a trigger may be loaded by another package.
#
# RUN: %kiln script --load-path %S/inputs/extensions %s 2>&1 | %filecheck %s
# RUN: printf 'using Adapt, Many\nMany.has(Val(:Adapt))\n' | %kiln repl --load-path %S/inputs/extensions | %filecheck %s --check-prefix=TRUE
# RUN: printf 'using Many, Adapt\nMany.has(Val(:Adapt))\n' | %kiln repl --load-path %S/inputs/extensions | %filecheck %s --check-prefix=TRUE
# RUN: printf 'using GPUArraysCore, Many\nMany.has(Val(:GPUArraysCore))\n' | %kiln repl --load-path %S/inputs/extensions | %filecheck %s --check-prefix=TRUE
# RUN: printf 'using Many, GPUArraysCore\nMany.has(Val(:GPUArraysCore))\n' | %kiln repl --load-path %S/inputs/extensions | %filecheck %s --check-prefix=TRUE
# RUN: printf 'using GPUArrays, Many\nMany.has(Val(:GPUArrays))\n' | %kiln repl --load-path %S/inputs/extensions | %filecheck %s --check-prefix=TRUE
# RUN: printf 'using Many, GPUArrays\nMany.has(Val(:GPUArrays))\n' | %kiln repl --load-path %S/inputs/extensions | %filecheck %s --check-prefix=TRUE
# RUN: printf 'using StaticArrays, Many\nMany.has(Val(:StaticArrays))\n' | %kiln repl --load-path %S/inputs/extensions | %filecheck %s --check-prefix=TRUE
# RUN: printf 'using Many, StaticArrays\nMany.has(Val(:StaticArrays))\n' | %kiln repl --load-path %S/inputs/extensions | %filecheck %s --check-prefix=TRUE
# RUN: printf 'using Atomix, Many\nMany.has(Val(:Atomix))\n' | %kiln repl --load-path %S/inputs/extensions | %filecheck %s --check-prefix=TRUE
# RUN: printf 'using Many, Atomix\nMany.has(Val(:Atomix))\n' | %kiln repl --load-path %S/inputs/extensions | %filecheck %s --check-prefix=TRUE
# RUN: printf 'using Statistics, Many\nMany.has(Val(:Statistics))\n' | %kiln repl --load-path %S/inputs/extensions | %filecheck %s --check-prefix=TRUE
# RUN: printf 'using Many, Statistics\nMany.has(Val(:Statistics))\n' | %kiln repl --load-path %S/inputs/extensions | %filecheck %s --check-prefix=TRUE
# RUN: printf 'using KernelAbstractions, Many\nMany.has(Val(:KernelAbstractions))\n' | %kiln repl --load-path %S/inputs/extensions | %filecheck %s --check-prefix=TRUE
# RUN: printf 'using Many, KernelAbstractions\nMany.has(Val(:KernelAbstractions))\n' | %kiln repl --load-path %S/inputs/extensions | %filecheck %s --check-prefix=TRUE
# RUN: printf 'using Other, Many\nMany.has(Val(:Other))\n' | %kiln repl --load-path %S/inputs/extensions | %filecheck %s --check-prefix=TRUE
# RUN: printf 'using Many, Other\nMany.has(Val(:Other))\n' | %kiln repl --load-path %S/inputs/extensions | %filecheck %s --check-prefix=TRUE
# TRUE: true

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
