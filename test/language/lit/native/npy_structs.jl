# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Elements of a parametric struct, fields that are arrays in the file and tuples in the program, arrays inside tuples, elements of
# arrays. What each kernel reads is written with Python's struct module, field by field.
#
# RUN: %npy write %t.p.npy "[('x', '<f4'), ('y', '<f4')]" '(2,)' 1.5 2.5 3.5 4.5
# RUN: %kiln run %s sums --arg 'zeros(Float32, 2)' --arg @%t.p.npy':Point{Float32}' --threads 2 --device cpu --out 1=%t.out.npy
# RUN: %npy show %t.out.npy | %filecheck %s --check-prefix=POINTS
# POINTS: values 4.0 8.0
# RUN: %kiln run %s sums --arg 'zeros(Float32, 2)' --arg 'Const(@"'%t.p.npy'":Shapes.Pt{Float32, 2})' --threads 2 --device cpu --out 1=%t.out.npy
# RUN: %npy show %t.out.npy | %filecheck %s --check-prefix=POINTS
# RUN: %status 1 %kiln run %s sums --arg 'zeros(Float32, 2)' --arg @%t.p.npy':Point{Float64}' --threads 2 --device cpu 2>&1 | %filecheck %s --check-prefix=PARAM
# PARAM: an element.x is Float32 in the file, but Float64 in the program
# RUN: %status 1 %kiln run %s sums --arg 'zeros(Float32, 2)' --arg @%t.p.npy':Point' --threads 2 --device cpu 2>&1 | %filecheck %s --check-prefix=OPEN
# OPEN: {{Point}}
# RUN: %status 1 %kiln run %s sums --arg 'zeros(Float32, 2)' --arg @%t.p.npy':Point{Float32' --threads 2 --device cpu 2>&1 | %filecheck %s --check-prefix=UNCLOSED
# UNCLOSED: --arg 2:1:{{[0-9]+}}: syntax error
#
# An array field is a tuple; one of two dimensions a tuple of rows; a struct of nothing but a tuple has its bytes.
# RUN: %npy write %t.b.npy "[('id', '<i4'), ('v', '<f4', (3,)), ('m', '<i2', (2, 3))]" '(2,)' 7 1.0 2.0 3.0 1 2 3 4 5 6 8 4.0 5.0 6.0 10 20 30 40 50 60
# RUN: %kiln run %s bodies --arg 'zeros(Float64, 3, 2)' --arg @%t.b.npy':Body' --threads 2 --device cpu --out 1=%t.out.npy --out 2=%t.back.npy
# RUN: %npy show %t.out.npy | %filecheck %s --check-prefix=BODIES
# BODIES: shape (3, 2) values 321.0 654.0 4.0 40.0 21.0 210.0
# RUN: %npy show %t.back.npy | %filecheck %s --check-prefix=BACK
# BACK: dtype [('id', '<i4'), ('v', '<f4', (3,)), ('m', '<i2', (2, 3))] shape (2,) values 107 1.0 2.0 3.0 1 2 3 4 5 6 108 4.0 5.0 6.0 10 20 30 40 50 60
# RUN: %kiln run %s bodies --arg 'zeros(Float64, 3, 2)' --arg @%t.b.npy':Wrapped' --threads 2 --device cpu --out 1=%t.out.npy
# RUN: %npy show %t.out.npy | %filecheck %s --check-prefix=BODIES
# RUN: %status 1 %kiln run %s bodies --arg 'zeros(Float64, 3, 2)' --arg @%t.b.npy':Short' --threads 2 --device cpu 2>&1 | %filecheck %s --check-prefix=SHORT
# SHORT: an element.v is an array of shape (3) in the file, but {{.*}}Float32{{.*}} in the program: an NTuple{3, ...} would fit
# RUN: %npy header %t.z.npy "{'descr': [('v', '<f4', (0,))], 'fortran_order': False, 'shape': (0,), }"
# RUN: %status 1 %kiln run %s sums --arg 'zeros(Float32, 2)' --arg @%t.z.npy':Body' --threads 2 --device cpu 2>&1 | %filecheck %s --check-prefix=ZERO
# ZERO: field 'v' is an array without elements, which is not supported
#
# Arrays as fields of tuples and named tuples, nested and from files, and elements of arrays.
# RUN: %npy write %t.a.npy '<i4' '(3,)' 10 20 30
# RUN: %npy write %t.g.npy '<f8' '(2, 3)' 1.0 2.0 3.0 4.0 5.0 6.0
# RUN: %kiln run %s pair --arg 'zeros(Int64, 3)' --arg '(@"'%t.a.npy'", 2)' --threads 3 --device cpu --out 1=%t.out.npy
# RUN: %npy show %t.out.npy | %filecheck %s --check-prefix=PAIR
# PAIR: values 20 40 60
# RUN: %kiln run %s named --arg 'zeros(Int64, 3)' --arg '(a = @"'%t.a.npy'", n = 2, inner = (b = @"'%t.a.npy'",))' --threads 3 --device cpu --out 1=%t.out.npy
# RUN: %npy show %t.out.npy | %filecheck %s --check-prefix=NAMED
# NAMED: values 30 60 90
# RUN: %kiln run %s pair --arg '(zeros(Int64, 3))' --arg '(@"'%t.a.npy'", @"'%t.a.npy'"[3])' --threads 3 --device cpu --out 1=%t.out.npy
# RUN: %npy show %t.out.npy | %filecheck %s --check-prefix=ELEMENT
# ELEMENT: values 300 600 900
# RUN: %kiln run %s three --arg 'zeros(Float64, 6)' --arg '@"'%t.a.npy'"[1]' --arg '@"'%t.g.npy'"[2, 3]' --arg '@"'%t.p.npy'":Point{Float32}[2].y' --arg '@"'%t.a.npy'"[end] + length(@"'%t.g.npy'") + size(@"'%t.g.npy'", 2)' --arg 'sum(@"'%t.a.npy'")' --arg 'maximum(@"'%t.g.npy'")' --device cpu --out 1=%t.out.npy
# RUN: %npy show %t.out.npy | %filecheck %s --check-prefix=THREE
# THREE: values 10.0 6.0 4.5 39.0 60.0 6.0
# RUN: %status 1 %kiln run %s three --arg 'zeros(Float64, 6)' --arg '@"'%t.a.npy'"[4]' --device cpu 2>&1 | %filecheck %s --check-prefix=OUT
# OUT: --arg 2:1:1: BoundsError[108]: attempt to access 3-element Vector{Int32} at index [4]
# RUN: %kiln run %s pair --arg 'zeros(Int64, 2)' --arg '(@"'%t.a.npy'"[2:3], 1)' --threads 2 --device cpu --out 1=%t.out.npy
# RUN: %npy show %t.out.npy | %filecheck %s --check-prefix=SLICE
# SLICE: values 20 30

using CUDA

struct Point{T}
    x::T
    y::T
end
module Shapes
struct Pt{T,N}
    x::T
    y::T
end
end
function sums(o, p)
    i = threadIdx().x
    o[i] = p[i].x + p[i].y
    return
end

struct Body
    id::Int32
    v::NTuple{3,Float32}
    m::NTuple{2,NTuple{3,Int16}}
end
struct Vec3
    data::NTuple{3,Float32}
end
Base.getindex(v::Vec3, i::Int) = v.data[i]
struct Wrapped
    id::Int32
    v::Vec3
    m::NTuple{2,NTuple{3,Int16}}
end
struct Short
    id::Int32
    v::NTuple{2,Float32}
    m::NTuple{2,NTuple{3,Int16}}
end
with_id(b::Body) = Body(b.id + Int32(100), b.v, b.m)
with_id(b::Wrapped) = b
function bodies(o, p)
    i = threadIdx().x
    b = p[i]
    o[1, i] = b.v[1] + 10b.v[2] + 100b.v[3]
    o[2, i] = b.m[2][1]
    o[3, i] = sum(b.m[1]) + sum(b.m[2])
    p[i] = with_id(b)
    return
end

function pair(o, t)
    i = threadIdx().x
    o[i] = t[1][i] * t[2]
    return
end
function named(o, t)
    i = threadIdx().x
    o[i] = t.a[i] * t.n + t.inner.b[i]
    return
end
function three(o, a...)
    for i in 1:length(a)
        o[i] = a[i]
    end
    return
end
