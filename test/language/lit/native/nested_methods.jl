# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Several methods of one host function hold a kernel of one name: the types that the method takes say which is meant.
#
# RUN: %kiln run %s 'launch(Int64)/kernel' --arg 'zeros(Int64, 1)' --device cpu --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=INT
# INT: values 1
# RUN: %kiln run %s 'launch(Float32, Int64)/kernel' --arg 'zeros(Int64, 1)' --device cpu --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=FLOAT
# FLOAT: values 2
# RUN: %kiln run %s 'launch(::String)/kernel' --capture 'offset=40' --arg 'zeros(Int64, 1)' --device cpu --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=STRING
# STRING: values 43
# RUN: %kiln compile %s 'launch(Int64)/kernel(CuDeviceVector{Int64,1})' --target ptx | %filecheck %s --check-prefix=PTX
# PTX: .entry
#
# A kernel that only one of them has needs no types.
# RUN: %kiln run %s launch/other --arg 'zeros(Int64, 1)' --device cpu --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=OTHER
# OTHER: values 9
#
# Without them: which there are, and how to write it.
# RUN: %status 1 %kiln compile %s 'launch/kernel(CuDeviceVector{Int64,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=WHICH --match-full-lines
#      WHICH: job:1:1: KernelError[120]: `launch/kernel` is ambiguous: 3 methods of `launch` define a function `kernel`
#      WHICH: {{.*}}nested_methods.jl:[[@LINE+16]]:10: note: candidate: launch(::Int64)
#      WHICH: {{.*}}nested_methods.jl:[[@LINE+21]]:10: note: candidate: launch(::T, ::Int64) where T<:AbstractFloat
#      WHICH: {{.*}}nested_methods.jl:[[@LINE+28]]:10: note: candidate: launch(::String)
#      WHICH: hint: name the method by types that it takes: launch(Int64)/kernel(...)
# RUN: %status 1 %kiln compile %s 'launch(Char)/kernel(CuDeviceVector{Int64,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=NONE
# NONE: job:1:1: MethodError[102]: no method matching launch(::Char)
# RUN: %status 1 %kiln compile %s 'launch(String)/other(CuDeviceVector{Int64,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=NOTHERE
# NOTHERE: UndefVarError[103]: no function `other` is defined inside a function `launch(String)`
#
# A method that was replaced is no candidate.
# RUN: %kiln run %s replaced/kernel --arg 'zeros(Int64, 1)' --device cpu --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=NEW
# NEW: values 2

using CUDA

function launch(n::Int)
    kernel(y) = (y[1] = 1; nothing)
    other(y) = (y[1] = 9; nothing)
    @cuda kernel(zeros(n))
end

function launch(a::T, n::Int) where {T<:AbstractFloat}
    function kernel(y)
        y[1] = 2
        return
    end
    @cuda kernel(zeros(n))
end

function launch(name::String)
    offset = length(name)
    kernel(y) = (y[1] = 3 + offset; nothing)
    @cuda kernel(zeros(3))
end

function replaced()
    kernel(y) = (y[1] = 1; nothing)
    @cuda kernel(zeros(3))
end
function replaced()
    kernel(y) = (y[1] = 2; nothing)
    @cuda kernel(zeros(3))
end
