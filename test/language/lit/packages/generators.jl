# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A filled cache has the code of a package's generators, until something that they depend on changes. The sum is
# 1 + 2 + 4 = 7 times the weight.
#
# RUN: rm -rf %t.cache %t.packages && cp -r %S/inputs/generators %t.packages
# RUN: %kiln script --load-path %t.packages --cache %t.cache %s | %filecheck %s --check-prefixes=RUNS,ONE
# RUN: %kiln script --load-path %t.packages --cache %t.cache %s | %filecheck %s --check-prefixes=RESTS,ONE
# RUNS: the generator runs for 3 of Float32
# RESTS-NOT: the generator runs
# ONE: total 7.0
#
# The program has a method that the generator calls, then none again.
# RUN: sed 's/^# OWN: //' %s > %t.own.jl
# RUN: %kiln script --load-path %t.packages --cache %t.cache %t.own.jl | %filecheck %s --check-prefixes=RUNS,TEN
# RUN: %kiln script --load-path %t.packages --cache %t.cache %t.own.jl | %filecheck %s --check-prefixes=RUNS,TEN
# RUN: %kiln script --load-path %t.packages --cache %t.cache %s | %filecheck %s --check-prefix=ONE
# TEN: total 70.0
#
# Another package has such a method.
# RUN: mkdir -p %t.packages/Heavy/src
# RUN: printf 'module Heavy\nusing Wide\nWide.weight(::Type{Float32}) = 3\nend\n' > %t.packages/Heavy/src/Heavy.jl
# RUN: sed 's/^using CUDA, Wide/using CUDA, Wide, Heavy/' %s > %t.heavy.jl
# RUN: %kiln script --load-path %t.packages --cache %t.cache %t.heavy.jl | %filecheck %s --check-prefixes=RUNS,THREE
# RUN: %kiln script --load-path %t.packages --cache %t.cache %t.heavy.jl | %filecheck %s --check-prefixes=RESTS,THREE
# RUN: sed -i 's/= 3/= 5/' %t.packages/Heavy/src/Heavy.jl
# RUN: %kiln script --load-path %t.packages --cache %t.cache %t.heavy.jl | %filecheck %s --check-prefixes=RUNS,FIVE
# THREE: total 21.0
# FIVE: total 35.0
#
# The package itself changes.
# RUN: sed -i 's/weight(::Type) = 1/weight(::Type) = 2/' %t.packages/Wide/src/Wide.jl
# RUN: %kiln script --load-path %t.packages --cache %t.cache %s | %filecheck %s --check-prefixes=RUNS,TWO
# TWO: total 14.0

using CUDA, Wide
# OWN: Wide.weight(::Type{Float32}) = 10

function kernel!(y, x)
    y[1] = total((x[1], x[2], x[3]))
    return
end

x, y = CuArray(Float32[1, 2, 4]), CUDA.zeros(1)
@cuda kernel!(y, x)
println("total ", Array(y)[1])
