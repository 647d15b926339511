# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the language has and Kiln has not is named, where it is used; what stands beside it is not touched.
#
# RUN: %status 1 %kiln compile %s 'tries(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=TRY --match-full-lines
#      TRY: {{.*}}unsupported.jl:[[@LINE+28]]:5: InvalidIRError[122]: unsupported: try/catch
# TRY-NEXT: [[@LINE+27]] |     try
# TRY-NEXT: | ^
# RUN: %status 1 %kiln compile %s 'calls_c(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=CCALL
# CCALL: unsupported.jl:[[@LINE+33]]:12: InvalidIRError[159]: HostFunctionError: code for the ptx target calls the host function `time`
# RUN: %status 1 %kiln compile %s 'unknown_macro(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=MACRO
# MACRO: unsupported.jl:[[@LINE+36]]:{{[0-9]+}}: InvalidIRError[103]: UndefVarError: `@no_such_macro` not defined
# RUN: %status 1 %kiln compile %s 'allocates(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=ARRAY
# ARRAY: unsupported.jl:[[@LINE+39]]:9: InvalidIRError[102]: MethodError: no method matching vect(::Int64, ::Int64, ::Int64)
# ARRAY: hint: compiled code cannot allocate arrays: use a tuple, shared memory or an argument
# RUN: %status 1 %kiln compile %s 'makes_text(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=STRING
# STRING: unsupported.jl:[[@LINE+42]]:9: InvalidIRError[102]: MethodError: no method matching string(::String, ::Float32)
# STRING: hint: compiled code cannot build strings: print the parts one by one
#
# A call whose callee is only known when it runs.
# RUN: %status 1 %kiln compile %s 'dynamic(CuDeviceVector{Any,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=DYNAMIC
# DYNAMIC: InvalidIRError
# DYNAMIC: [{{[0-9]+}}] dynamic @ {{.*}}unsupported.jl:[[@LINE+41]]
#
# Others in the file are none the worse.
# RUN: %kiln compile %s 'fine(CuDeviceVector{Float32,1})' --target ptx -o %t.ptx
#
# Barriers run on both targets.
# RUN: %kiln run %s waits --arg 'zeros(Int32, 4)' --threads 4

using CUDA

function tries(y)
    try
        y[1] = 1
    catch
        y[1] = 2
    end
    return
end

function calls_c(y)
    y[1] = ccall(:time, Int64, ())
    return
end

function unknown_macro(y)
    y[1] = @no_such_macro y[2]
    return
end

function allocates(y)
    v = [1, 2, 3]
    y[1] = v[1]
    return
end

function makes_text(y)
    s = string("a", y[1])
    return
end

function dynamic(x)
    x[1] = x[1] + 1
    return
end

function fine(y)
    y[1] = 1
    return
end

function waits(y)
    sync_threads()
    y[threadIdx().x] = 1
    return
end
