# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Calls that cannot be compiled: each names the place, how the kernel got there, and what would be near.
#
# RUN: %status 1 %kiln compile %s 'names(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=NAMES --match-full-lines
#      NAMES: {{.*}}calls.jl:[[@LINE+36]]:12: InvalidIRError[103]: UndefVarError: `lenght` not defined in `Main`
# NAMES-NEXT: [[@LINE+35]] |     y[1] = lenght(y)
# NAMES-NEXT: | ^
# NAMES-NEXT: Stacktrace:
# NAMES-NEXT: [1] names @ {{.*}}calls.jl:[[@LINE+32]]
# NAMES-NEXT: hint: did you mean length?
# NAMES-NEXT: {{.*}}calls.jl:[[@LINE+31]]:5: InvalidIRError[103]: UndefVarError: `nothing_like_it` not defined in `Main`
# NAMES-NEXT: [[@LINE+30]] |     y[2] = nothing_like_it
#  NAMES-NOT: hint: {{.*}}
#
# RUN: %status 1 %kiln compile %s 'nearest(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=NEAREST --match-full-lines
#      NEAREST: {{.*}}calls.jl:[[@LINE+35]]:12: InvalidIRError[102]: MethodError: no method matching pair(::Float32, ::Float64)
# NEAREST-NEXT: [[@LINE+34]] |     y[1] = pair(1f0, 2.0)
# NEAREST-NEXT: | ^
# NEAREST-NEXT: Stacktrace:
# NEAREST-NEXT: [1] nearest @ {{.*}}calls.jl:[[@LINE+31]]
# Those whose first argument or second argument fits come before those of another count.
# NEAREST-NEXT: note: closest candidate: pair(::Float32, ::Float32) at {{.*}}calls.jl:[[@LINE+25]]
# NEAREST-NEXT: note: closest candidate: pair(::Float64, ::Float64) at {{.*}}calls.jl:[[@LINE+25]]
# NEAREST-NEXT: note: closest candidate: pair(::Any) at {{.*}}calls.jl:[[@LINE+22]]
#
# RUN: %status 1 %kiln compile %s 'ambiguous(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=AMBIGUOUS
# AMBIGUOUS: calls.jl:[[@LINE+32]]:12: InvalidIRError[102]: MethodError: either(::Int64, ::Int64) is ambiguous
# AMBIGUOUS: note: candidate: either(::Int64, ::Any) at {{.*}}calls.jl:[[@LINE+27]]
# AMBIGUOUS: note: candidate: either(::Any, ::Int64) at {{.*}}calls.jl:[[@LINE+27]]
#
# A field that no such value has: the place is the user's line, not the library's getproperty.
# RUN: %status 1 %kiln compile %s 'field(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=FIELD
# FIELD: calls.jl:[[@LINE+31]]:12: InvalidIRError[106]: FieldError: type @NamedTuple{x::Int32, y::Int32, z::Int32} has no field `w`
# FIELD: [1] getproperty @ base/
# FIELD-NEXT: [2] field @ {{.*}}calls.jl:[[@LINE+29]]
# FIELD-NEXT: hint: its fields are `x`, `y`, `z`

using CUDA

function names(y)
    y[1] = lenght(y)
    y[2] = nothing_like_it
    return
end

pair(a) = a
pair(a::Float32, b::Float32) = a
pair(a::Float64, b::Float64) = a

function nearest(y)
    y[1] = pair(1f0, 2.0)
    return
end

either(x::Int64, y) = 1
either(x, y::Int64) = 2

function ambiguous(y)
    y[1] = either(1, 2)
    return
end

function field(y)
    y[1] = threadIdx().w
    return
end
