# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A refusal names the feature, its place, and what to write instead.
#
# RUN: %status 1 %kiln compile %s 'catches(CuDeviceVector{Int,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=TRY
# TRY: alternatives.jl:[[@LINE+38]]:5: InvalidIRError[122]: unsupported: try/catch
# TRY: hint: a kernel catches no exceptions: test for the fault with `if` before it
# RUN: %status 1 %kiln compile %s 'stores(CuDeviceVector{Int,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=GLOBAL
# GLOBAL: alternatives.jl:[[@LINE+45]]:{{[0-9]+}}: InvalidIRError[122]: unsupported: assignment to the global variable `counter`
# GLOBAL: hint: store the value in an element of an array that is an argument
# RUN: %status 1 %kiln compile %s 'imports(CuDeviceVector{Int,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=USING
# USING: alternatives.jl:[[@LINE+47]]:5: InvalidIRError[122]: unsupported: `using` inside a function
# USING: hint: move it to the top level of the file
# RUN: %status 1 %kiln compile %s 'calls_c(CuDeviceVector{Float64,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=CCALL
# CCALL: InvalidIRError[122]: unsupported: ccall of a host function in a library of its own
# CCALL: hint: write the function in Julia
# RUN: %status 1 %kiln compile %s 'measures(CuDeviceVector{Int,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=TIME
# TIME: unsupported: macro @time: measure launches on the host
# TIME: unsupported: macro @show: kernels print with @cuprintln
# TIME: unsupported: macro @threads: the threads of a kernel already run at once
# RUN: %status 1 %kiln compile %s 'allocates(CuDeviceVector{Int,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=ARRAY
# ARRAY: hint: compiled code cannot allocate arrays: use a tuple, shared memory or an argument
# RUN: %status 1 %kiln compile %s 'by_symbol(CuDeviceVector{Int,1}, Int)' --target ptx 2>&1 | %filecheck %s --check-prefix=FIELD
# FIELD: hint: look at the types with --emit typed
# RUN: %status 1 %kiln compile %s 'generates(CuDeviceVector{Int,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=RANDOM
# RANDOM: hint: a kernel has no generator of random numbers: pass numbers
#
# RUN: printf 'using LinearAlgebra\nBLAS.no_such_routine(1)\n' > %t.name.jl
# RUN: %status 1 %kiln script --device cpu %t.name.jl 2>&1 | %filecheck %s --check-prefix=NAME
# NAME: UndefVarError: `no_such_routine` not defined
# NAME-NEXT: name.jl:2:1:
# NAME: hint: Kiln's `{{.*}}BLAS` lacks it: write the function in Julia; docs/guide/julia-names.md lists the names
#
# An unknown macro is an error, also before a definition.
# RUN: printf '@no_such_macro function f(x)\n x\nend\nprintln("reached")\n' > %t.macro.jl
# RUN: %status 1 %kiln script --device cpu %t.macro.jl 2>&1 | %filecheck %s --check-prefix=MACRO --implicit-check-not=reached
# MACRO: ERROR: LoadError: UndefVarError: `@no_such_macro` not defined
# MACRO-NEXT: macro.jl:1:1:
# RUN: printf 'try\n eval(:(@no_such_macro struct S; end))\ncatch e\n println(occursin("@no_such_macro", sprint(showerror, e)))\nend\n' > %t.caught.jl
# RUN: %kiln script --device cpu %t.caught.jl | %filecheck %s --check-prefix=CAUGHT
# CAUGHT: true

function catches(y)
    try
        y[1] = 1
    catch
        y[1] = 2
    end
    return
end

counter = 0
function stores(y)
    global counter = y[1]
    return
end

function imports(y)
    using Printf
    return
end

function calls_c(y)
    y[1] = ccall((:cos, "libm"), Float64, (Float64,), y[1])
    return
end

function measures(y)
    @time y[1] = 1
    @show y[1]
    Threads.@threads for i in 1:3
        y[i] = 1
    end
    return
end

function allocates(y)
    v = Vector{Int}(undef, 4)
    y[1] = v[1]
    return
end

function by_symbol(y, n)
    t = (a = 1, b = 2.0)
    y[1] = t[n == 1 ? :a : :b]
    return
end

using Random
function generates(y)
    y[1] = rand(MersenneTwister(1), Int)
    return
end
