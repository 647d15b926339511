# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# deferred_codegen: a pointer to the code of another job, which is compiled with this one, and what that one defers too. A
# pointer that is seen becomes a direct call; no marker is left.
#
# RUN: %kiln compile %s 'direct(CuDeviceVector{Float32,1})' --target ptx -g0 --emit llvm | %filecheck %s --check-prefix=DIRECT
# DIRECT: call float @[[NAME:julia_plus_one_[0-9]+]](float
# DIRECT: define internal float @[[NAME]](float
# RUN: %kiln compile %s 'direct(CuDeviceVector{Float32,1})' --target ptx -g0 --emit llvm-opt | %filecheck %s --check-prefix=GONE
# GONE-NOT: deferred_codegen
# GONE: fadd {{.*}}float %{{.*}}, 1.0
# GONE-NOT: deferred_codegen
#
# One that defers another.
# RUN: %kiln compile %s 'nested(CuDeviceVector{Float32,1})' --target ptx -g0 | %filecheck %s --check-prefix=NESTED
# NESTED: .visible .entry _Z6nested
# NESTED-NOT: call
# NESTED: div.rn.f32
# NESTED-NOT: call
# NESTED: add.f32
# NESTED-NOT: call
#
# A choice between several: each of them may throw, wait and ask for its index.
# RUN: %kiln compile %s 'choice(CuDeviceVector{Float32,1}, Int32)' --target ptx -o %t.ptx
# RUN: %npy write %t.x.npy '<f4' '(4,)' 1 2 3 4
# RUN: %kiln run --device cpu %s choice --arg @%t.x.npy --arg 'Int32(0)' --threads 4 --out 1=%t.0.npy
# RUN: %npy show %t.0.npy | %filecheck %s --check-prefix=ZERO
# ZERO: 2.0 3.0 4.0 5.0
# RUN: %kiln run --device cpu %s choice --arg @%t.x.npy --arg 'Int32(1)' --threads 4 --out 1=%t.1.npy
# RUN: %npy show %t.1.npy | %filecheck %s --check-prefix=ONE
# ONE: 1.0 4.0 9.0 16.0
# RUN: %kiln run --device cpu %s rotate --arg @%t.x.npy --arg 'Int32(1)' --threads 4 --out 1=%t.2.npy
# RUN: %npy show %t.2.npy | %filecheck %s --check-prefix=ROTATED
# ROTATED: 4.0 3.0 2.0 1.0
# RUN: %status 1 %kiln run --device cpu %s checked --arg @%t.x.npy --arg 'Int32(9)' 2>&1 | %filecheck %s --check-prefix=THROWS
# THROWS: BoundsError
# RUN: %status 1 %kiln run --device cpu %s table --arg @%t.x.npy --arg 'Int32(2)' 2>&1 | %filecheck %s --check-prefix=NULL
# NULL: ErrorException[114]: call of a pointer that leads to no code of its type, in thread (1, 1, 1)
# RUN: %kiln run --device cpu %s table --arg @%t.x.npy --arg 'Int32(1)' --out 1=%t.3.npy
# RUN: %npy show %t.3.npy | %filecheck %s --check-prefix=TABLE
# TABLE: 1.0 2.0 3.0 4.0
#
# What cannot be.
# RUN: %status 1 %kiln compile %s 'no_method(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=METHOD
# METHOD: deferred.jl:{{[0-9]+}}:{{[0-9]+}}: InvalidIRError[102]: MethodError: no method matching plus_one(::Float32, ::Float32)
# RUN: %status 1 %kiln compile %s 'closure(CuDeviceVector{Float32,1}, Float32)' --target ptx 2>&1 | %filecheck %s --check-prefix=CLOSURE
# CLOSURE: InvalidIRError[105]: TypeError: deferred_codegen of a value of type {{.*}}: a pointer to code has no space for what it captures
# RUN: %status 1 %kiln compile %s 'other_types(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=TYPES
# TYPES: the code behind the pointer takes other types, or gives another
# RUN: %status 1 %kiln compile %s 'literal(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=LITERAL
# LITERAL: InvalidIRError[121]: unsupported call through a literal pointer
# RUN: %status 1 %kiln compile %s 'unknown(CuDeviceVector{Float32,1}, Ptr{Cvoid})' --target ptx 2>&1 | %filecheck %s --check-prefix=UNKNOWN
# UNKNOWN: InvalidIRError[121]: unsupported call through a pointer: the job has no deferred_codegen of a function of its type

using CUDA

plus_one(x) = x + 1f0
squared(x) = x * x
function direct(y)
    f = deferred_codegen(plus_one, Float32)
    @inbounds y[1] = ccall(f, Float32, (Float32,), y[1])
    return
end

@noinline inner(x) = x / 3f0
@noinline outer(x) = ccall(deferred_codegen(inner, Float32), Float32, (Float32,), x) + 1f0
function nested(y)
    @inbounds y[1] = ccall(deferred_codegen(outer, Float32), Float32, (Float32,), y[1])
    return
end

function choice(y, which)
    f = which == 0 ? deferred_codegen(plus_one, Float32) : deferred_codegen(squared, Float32)
    i = threadIdx().x
    @inbounds y[i] = ccall(f, Float32, (Float32,), y[i])
    return
end

# They wait, and ask for their index.
function reversed(s, x)
    i = threadIdx().x
    @inbounds s[i] = x
    sync_threads()
    @inbounds return s[blockDim().x + 1 - i]
end
same(s, x) = x
function rotate(y, which)
    s = CuStaticSharedArray(Float32, 32)
    S = typeof(s)
    f = which == 0 ? deferred_codegen(same, S, Float32) : deferred_codegen(reversed, S, Float32)
    i = threadIdx().x
    @inbounds y[i] = ccall(f, Float32, (S, Float32), s, y[i])
    return
end

element(y, i) = y[i]
other(y, i) = 0f0
function checked(y, which)
    Y = typeof(y)
    f = which == 0 ? deferred_codegen(other, Y, Int32) : deferred_codegen(element, Y, Int32)
    @inbounds y[1] = ccall(f, Float32, (Y, Int32), y, which)
    return
end

# Through memory.
function table(y, which)
    t = CuStaticSharedArray(UInt, 2)
    @inbounds t[1] = UInt(deferred_codegen(squared, Float32))
    @inbounds t[2] = UInt(0)
    sync_threads()
    @inbounds y[1] = ccall(Ptr{Cvoid}(t[which]), Float32, (Float32,), y[1])
    return
end

no_method(y) = (deferred_codegen(plus_one, Float32, Float32); nothing)
function closure(y, a)
    f = deferred_codegen(x -> x + a, Float32)
    @inbounds y[1] = ccall(f, Float32, (Float32,), y[1])
    return
end
function other_types(y)
    @inbounds y[1] = ccall(deferred_codegen(plus_one, Float32), Float32, (Int32,), 1)
    return
end
function literal(y)
    @inbounds y[1] = ccall(Ptr{Cvoid}(UInt(4096)), Float32, (Float32,), y[1])
    return
end
function unknown(y, p)
    @inbounds y[1] = ccall(p, Float32, (Float32,), y[1])
    return
end
