# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The call on the command line is a text with places of its own, called "job".
#
# RUN: %status 1 %kiln compile %s 'sacle(CuDeviceVector{Float32,1}, Float32)' --target ptx 2>&1 | %filecheck %s --check-prefix=FUNCTION --match-full-lines
#      FUNCTION: job:1:1: UndefVarError[103]: `sacle` not defined in `Main`
# FUNCTION-NEXT: 1 | sacle(CuDeviceVector{Float32,1}, Float32)
# FUNCTION-NEXT: | ^~~~~
# FUNCTION-NEXT: hint: did you mean scale?
#
# RUN: %status 1 %kiln compile %s 'scale(CuDeviceVector{Floot32,1}, Float32)' --target ptx 2>&1 | %filecheck %s --check-prefix=TYPE --match-full-lines
#      TYPE: job:1:22: UndefVarError[103]: `Floot32` not defined in `Main`
# TYPE-NEXT: 1 | scale(CuDeviceVector{Floot32,1}, Float32)
# TYPE-NEXT: | ^~~~~~~
# TYPE-NEXT: hint: did you mean Float32?
#
# RUN: %status 1 %kiln compile %s 'scale(CuDeviceVector{Float32,1}' 2>&1 | %filecheck %s --check-prefix=OPEN
# OPEN: job:1:32: syntax error[101]: expected `,` or `)`
#
# A type without all its parameters is no type of a value.
# RUN: %status 1 %kiln compile %s 'scale(CuDeviceVector{Float32}, Float32)' 2>&1 | %filecheck %s --check-prefix=OPENTYPE
# OPENTYPE: job:1:1: TypeError[105]: {{.*}}CuDeviceArray{Float32, 1, A} where A is not a concrete type
# OPENTYPE: hint: name the types of the values that will be passed: CuDeviceVector{Float32, 1}, Int64, ...
#
# Nothing fits: what there is, where it is.
# RUN: %status 1 %kiln compile %s 'scale(Int64)' 2>&1 | %filecheck %s --check-prefix=NOMETHOD --match-full-lines
#      NOMETHOD: job:1:1: MethodError[102]: no method matching scale(::Int64)
# NOMETHOD-NEXT: 1 | scale(Int64)
# NOMETHOD-NEXT: | ^~~~~~~~~~~~
# NOMETHOD-NEXT: {{.*}}signature.jl:[[@LINE+13]]:10: note: candidate: scale(::Any, ::T) where T<:AbstractFloat
# NOMETHOD-NEXT: [[@LINE+12]] | function scale(y, a::T) where {T<:AbstractFloat}
# NOMETHOD-NEXT: | ^{{~+}}
#
# Two fit, and none is more specific.
# RUN: %status 1 %kiln compile %s 'either(Int64, Int64)' 2>&1 | %filecheck %s --check-prefix=AMBIGUOUS
# AMBIGUOUS: job:1:1: MethodError[102]: either(::Int64, ::Int64) is ambiguous
# AMBIGUOUS: signature.jl:[[@LINE+11]]:1: note: candidate: either(::Int64, ::Any)
# AMBIGUOUS: signature.jl:[[@LINE+11]]:1: note: candidate: either(::Any, ::Int64)
# AMBIGUOUS: hint: define a method for the intersection of the candidates

using CUDA

function scale(y, a::T) where {T<:AbstractFloat}
    y[1] *= a
    return
end

either(x::Int64, y) = 1
either(x, y::Int64) = 2
