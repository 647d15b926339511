# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ccall of a host function: the CPU's code reads its address from a variable; without an address the code cannot be loaded; a GPU has none.
#
# RUN: %status 1 %kiln compile %s 'k(CuDeviceVector{Int64,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=PTX
# PTX: host_calls.jl:[[@LINE+18]]:13: InvalidIRError[159]: HostFunctionError: code for the ptx target calls the host function `seconds`
# PTX: hint: call it on the host, and pass its result to the kernel
# RUN: %kiln compile %s 'k(CuDeviceVector{Int64,1})' --target native --emit llvm -o - | %filecheck %s --check-prefix=LLVM
# LLVM: @kiln.host.seconds = external global ptr
# LLVM: [[ADDRESS:%.*]] = load atomic ptr, ptr @kiln.host.seconds monotonic
# LLVM: call i64 [[ADDRESS]](
# RUN: %status 1 %kiln run %s k --arg 'zeros(Int64, 1)' 2>&1 | %filecheck %s --check-prefix=MISSING
# MISSING: HostFunctionError[158]: the code calls the host function `seconds`, whose address is not known here
# RUN: %status 1 %kiln compile %s 'structs(CuDeviceVector{Int64,1})' --target native -o %t.s 2>&1 | %filecheck %s --check-prefix=STRUCT
# STRUCT: host_calls.jl:[[@LINE+18]]:5: InvalidIRError[105]: TypeError: argument 1 of the host function `f` is a Tuple{Int64, Int64}, which C code cannot take by value
# STRUCT: hint: pass a pointer to it
# RUN: %status 1 %kiln compile %s 'of_library(CuDeviceVector{Int64,1})' --target native -o %t.s 2>&1 | %filecheck %s --check-prefix=LIBRARY
# LIBRARY: host_calls.jl:[[@LINE+20]]:12: InvalidIRError[122]: unsupported: ccall of a host function in a library of its own
# RUN: %status 1 %kiln run %s k --arg 'evaluated()' 2>&1 | %filecheck %s --check-prefix=EVALUATED
# EVALUATED: the host function `seconds` is called by code that is evaluated: compiled code alone calls them

using CUDA

seconds() = ccall(:seconds, Int64, ())
evaluated() = seconds()

function k(y)
    y[1] = seconds()
    return
end

function structs(y)
    ccall(:f, Cvoid, (Tuple{Int64,Int64},), (y[1], y[2]))
    return
end

function of_library(y)
    y[1] = ccall((:f, "libnowhere"), Int64, (Int64,), 1)
    return
end
