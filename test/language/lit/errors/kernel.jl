# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What a kernel's signature rules out.
#
# RUN: %status 1 %kiln compile %s 'returns(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=RETURN --match-full-lines
#      RETURN: {{.*}}kernel.jl:[[@LINE+40]]:1: KernelError[126]: kernel returns a value of type `Float32`
# RETURN-NEXT: [[@LINE+39]] | returns(y) = y[1]
# RETURN-NEXT: | ^~~~~~~~~~
# RETURN-NEXT: hint: Make sure your kernel function ends in `return`, `return nothing` or `nothing`.
# As a plain function it may.
# RUN: %kiln compile %s 'returns(CuDeviceVector{Float32,1})' -o %t.s
#
# RUN: %status 1 %kiln compile %s 'unbound(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=UNBOUND
# RUN: %status 1 %kiln compile %s 'unbound(CuDeviceVector{Float32,1})' 2>&1 | %filecheck %s --check-prefix=UNBOUND
# UNBOUND: kernel.jl:[[@LINE+33]]:10: KernelError[120]: method captures typevar `S` (you probably use an unbound type variable)
# UNBOUND: hint: name S in the type of an argument, or leave it out
# Where a function that is called uses such a variable, it is the use that is wrong.
# RUN: %status 1 %kiln compile %s 'calls_unbound(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=UNBOUNDUSE
# UNBOUNDUSE: kernel.jl:[[@LINE+33]]:{{[0-9]+}}: InvalidIRError[103]: UndefVarError: `S` not defined: no argument's type binds this static parameter
# UNBOUNDUSE: [1] bytes_of_none @
# UNBOUNDUSE: [2] calls_unbound @
#
# The path of each field that is at fault, and not of the others.
# RUN: %status 1 %kiln compile %s 'takes(CuDeviceVector{Float32,1}, Outer)' --target ptx 2>&1 | %filecheck %s --check-prefix=FIELD --match-full-lines
#      FIELD: {{.*}}kernel.jl:[[@LINE+47]]:10: KernelError[120]: passing non-bitstype argument
# FIELD-NEXT: [[@LINE+46]] | function takes(y, x)
# FIELD-NEXT: | ^~~~~~~~~~~
# FIELD-NEXT: note: Argument 2 (`x`) to your kernel function is of type Outer, which is not a bitstype:
# FIELD-NEXT: .inner.counter is of type Counter which is not isbits.
# FIELD-NEXT: .name is of type String which is not isbits.
# FIELD-NEXT: hint: Only bitstypes, which are "plain data" types that are immutable and contain no references to other values, can be used in GPU kernels: pass a CuArray for an array, and numbers for other objects.
#
# RUN: %status 1 %kiln compile %s 'takes(CuDeviceVector{Float32,1}, Vector{Float32})' --target ptx 2>&1 | %filecheck %s --check-prefix=ARRAY
# ARRAY: KernelError[120]: passing non-bitstype argument
# ARRAY: note: Argument 2 (`x`) to your kernel function is of type Array{Float32, 1}, which is not a bitstype:
# A symbol is passed as eight bytes that stand for it.
# RUN: %kiln compile %s 'takes(CuDeviceVector{Float32,1}, Symbol)' --target ptx -o %t.ptx
#
# Ghosts are no arguments at all: types of one value, functions, Val.
# RUN: %kiln compile %s 'takes(CuDeviceVector{Float32,1}, Val{:name})' --target ptx -o %t.ptx
# RUN: %kiln compile %s 'takes(CuDeviceVector{Float32,1}, typeof(+))' --target ptx -o %t.ptx
# RUN: %kiln compile %s 'takes(CuDeviceVector{Float32,1}, Type{Int64})' --target ptx -o %t.ptx

using CUDA

returns(y) = y[1]

function unbound(y::T) where {T, S}
    return
end

bytes_of_none(x::T) where {T, S} = sizeof(S)

function calls_unbound(y)
    y[1] = bytes_of_none(y)
    return
end

mutable struct Counter
    n::Int64
end
struct Inner
    x::Float32
    counter::Counter
end
struct Outer
    scale::Float32
    inner::Inner
    name::String
end

function takes(y, x)
    @inbounds y[1] = 1
    return
end

# A struct that carries a type as a value.
# RUN: %status 1 %kiln compile %s 'typed_field(CuDeviceVector{Int,1}, HoldsType{Float32})' 2>&1 | %filecheck %s --check-prefix=TYPEFIELD
# TYPEFIELD: KernelError[120]: passing non-bitstype argument
# TYPEFIELD: a field of it holds a type
# TYPEFIELD: hint: A field that holds a type has no place in memory: make the type a parameter of the struct
struct HoldsType{T}
    t::Type{T}
    n::Int
end
function typed_field(a, s)
    a[1] = s.n
    return
end
