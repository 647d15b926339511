# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Arrays of several dimensions, their indices, conversion on store, views.

#! arrays(o; fill(2f0, 3); zeros(Int32, 3, 4); zeros(Float64, 2, 3, 4); fill(7, 1))
function arrays(o, v, m, c, z)
    for j in 1:4, i in 1:3
        m[i, j] = 10i + j
    end
    for i in eachindex(c)
        c[i] = i
    end
    v[2] = 5
    put(o, 1, v[2])  #: f32(5)
    put(o, 2, length(v))  #: i64(3)
    put(o, 3, length(m))  #: i64(12)
    put(o, 4, size(m, 1))  #: i64(3)
    put(o, 5, size(m, 2))  #: i64(4)
    put(o, 6, size(m, 3))  #: i64(1)
    put(o, 7, size(c)[3])  #: i64(4)
    put(o, 8, ndims(c))  #: i64(3)
    put(o, 9, eltype(m) === Int32)  #: true
    put(o, 10, m[2, 3])  #: i32(23)
    put(o, 11, m[3])  #: i32(31)
    put(o, 12, m[4])  #: i32(12)
    put(o, 13, m[end])  #: i32(34)
    put(o, 14, m[end, 1])  #: i32(31)
    put(o, 15, m[1, end])  #: i32(14)
    put(o, 16, m[end-1, end-1])  #: i32(23)
    put(o, 17, m[begin, begin])  #: i32(11)
    put(o, 18, c[2, 3, 4])  #: f64(24)
    put(o, 19, c[1, 2, 1])  #: f64(3)
    put(o, 20, c[7])  #: f64(7)
    put(o, 21, c[1, 4])  #: f64(7)
    put(o, 22, m[2, 3, 1])  #: i32(23)
    put(o, 23, z[])  #: i64(7)
    z[] += 1
    put(o, 24, z[])  #: i64(8)
    put(o, 25, m[Int32(2), 0x03])  #: i32(23)
    put(o, 26, m[CartesianIndex(2, 3)])  #: i32(23)
    put(o, 27, c[CartesianIndex(2, 3), 4])  #: f64(24)
    put(o, 28, c[2, CartesianIndex(3, 4)])  #: f64(24)
    put(o, 29, c[CartesianIndex(), 2, CartesianIndex(3, 4)])  #: f64(24)
    t = (2, 3)
    put(o, 30, m[t...])  #: i32(23)
    I = CartesianIndices(m)[5]
    put(o, 31, I[1])  #: i64(2)
    put(o, 32, I[2])  #: i64(2)
    put(o, 33, m[I])  #: i32(22)
    put(o, 34, LinearIndices(m)[2, 3])  #: i64(8)
    put(o, 35, LinearIndices((3, 4))[CartesianIndex(2, 3)])  #: i64(8)
    put(o, 36, CartesianIndices((2, 3))[4][2])  #: i64(2)
    put(o, 37, Tuple(I)[1])  #: i64(2)
    put(o, 38, (I + CartesianIndex(1, 1))[1])  #: i64(3)
    i, j = Tuple(I)
    put(o, 39, i + 10j)  #: i64(22)
    s = 0
    for J in CartesianIndices((2, 3))
        s = 10s + J[1] * J[2]
    end
    put(o, 40, s)  #: i64(122436)
    s = 0
    for J in CartesianIndices((1:2:3, 2:3))
        s += m[J]
    end
    put(o, 41, s)  #: i64(12+32+13+33)
    s = 0
    for x in m
        s += x
    end
    put(o, 42, s)  #: i64(sum(10*i+j for i in range(1, 4) for j in range(1, 5)))
    s = 0
    for k in axes(m, 1), l in axes(m, 2)
        s += m[k, l] * (k == l)
    end
    put(o, 43, s)  #: i64(11+22+33)
    put(o, 44, first(axes(m, 2)))  #: i64(1)
    put(o, 45, last(axes(m)[2]))  #: i64(4)
    put(o, 46, sum(v))  #: f32(9)
    put(o, 47, maximum(m))  #: i32(34)
    put(o, 48, sum(m))  #: i64(270)
    put(o, 49, sum(x -> x^2, v))  #: f32(33)
    m[1, 1] = 3.0
    put(o, 50, m[1, 1])  #: i32(3)
    m[1, 1] = 0xff
    put(o, 51, m[1, 1])  #: i32(255)
    m[1, 1] = true
    put(o, 52, m[1, 1])  #: i32(1)
    v[1] = 0.1
    put(o, 53, v[1])  #: f32(0.1)
    v[1] += 1
    put(o, 54, v[1])  #: f32(1 + 0.10000000149011612)
    v[1] *= 2.5
    put(o, 55, v[1] isa Float32)  #: true
    v[1], v[2] = v[2], v[1]
    put(o, 56, v[1])  #: f32(5)
    m[1, 1] += 2; m[1, 1] <<= 3; m[1, 1] |= 1
    put(o, 57, m[1, 1])  #: i32(25)
    put(o, 58, (v[3] = 7))  #: i64(7)
    put(o, 59, checkbounds(Bool, v, 3))  #: true
    put(o, 60, checkbounds(Bool, v, 4))  #: false
    put(o, 61, checkbounds(Bool, m, 3, 5))  #: false
    w = view(m, 2:3, 2)
    put(o, 62, w[1])  #: i32(22)
    put(o, 63, length(w))  #: i64(2)
    w[2] = 99
    put(o, 64, m[3, 2])  #: i32(99)
    u = @view c[1, :, 2]
    put(o, 65, u[3])  #: f64(11)
    put(o, 66, size(u)[1])  #: i64(3)
    put(o, 67, @inbounds m[2, 2])  #: i32(22)
    @inbounds for k in 1:3
        v[k] = k
    end
    put(o, 68, v[3])  #: f32(3)
    fill!(v, 4)
    put(o, 69, v[1])  #: f32(4)
    v .= 2 .* v .+ 1
    put(o, 70, v[2])  #: f32(9)
    put(o, 71, sum((1, 2, 3) .* 2))  #: i64(12)
    put(o, 72, isempty(v))  #: false
    put(o, 73, stride(m, 2))  #: i64(3)
    put(o, 74, sum(v[k] for k in 1:2))  #: f32(18)
    put(o, 75, unsafe_load(pointer(v)))  #: f32(9)
    unsafe_store!(pointer(v), 3f0, 2)
    put(o, 76, v[2])  #: f32(3)
    put(o, 77, unsafe_load(pointer(m, 5)))  #: i32(22)
    put(o, 78, A_sum(v))  #: f32(21)
    return
end
function A_sum(A::AbstractArray{T}) where {T}
    s = zero(T)
    @inbounds @simd for i in eachindex(A)
        s += A[i]
    end
    return s
end

struct Cell
    id::Int32
    weight::Float64
    flags::NTuple{2,UInt8}
end
#! struct_arrays(o; fill(Cell(Int32(3), 0.5, (0x1, 0x2)), 4))
function struct_arrays(o, cells)
    c = cells[2]
    cells[3] = Cell(c.id + 1, c.weight * 2, (c.flags[2], c.flags[1]))
    put(o, 1, cells[3].id)  #: i32(4)
    put(o, 2, cells[3].weight)  #: f64(1)
    put(o, 3, cells[3].flags[1])  #: u8(2)
    put(o, 4, cells[4].flags[2])  #: u8(2)
    put(o, 5, sum(x -> x.id, cells))  #: i64(13)
    put(o, 6, sizeof(Cell))  #: i64(24)
    return
end
