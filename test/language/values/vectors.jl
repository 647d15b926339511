# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tuples of VecElement: values as any tuple's, size and alignment as the hardware's vectors have.

using CUDA

struct Padded
    a::Int8
    v::NTuple{2,VecElement{Float32}}
    b::Int8
end
const Four32 = NTuple{4,VecElement{Float32}}

#! sizes(o)
function sizes(o)
    put(o, 1, sizeof(NTuple{2,VecElement{Float16}}))  #: i64(4)
    put(o, 2, sizeof(NTuple{3,VecElement{Float32}}))  #: i64(16)
    put(o, 3, sizeof(NTuple{4,VecElement{Float32}}))  #: i64(16)
    put(o, 4, sizeof(Padded))  #: i64(24)
    put(o, 5, fieldoffset(Padded, 2))  #: i64(8)
    put(o, 6, sizeof(NTuple{4,VecElement{UInt8}}))  #: i64(4)
    put(o, 7, Base.datatype_alignment(NTuple{4,VecElement{UInt8}}))  #: i64(4)
    put(o, 8, Base.datatype_alignment(NTuple{4,VecElement{Float32}}))  #: i64(16)
    put(o, 9, Base.datatype_alignment(NTuple{4,Float32}))  #: i64(4)
    return
end

#! values(o)
function values(o)
    v = ntuple(i -> VecElement(1.5f0 * i), Val(4))
    put(o, 1, v isa Four32)  #: true
    put(o, 2, v[3].value)  #: f32(4.5)
    put(o, 3, VecElement{Float64}(2).value)  #: f64(2)
    put(o, 4, VecElement(Int8(3)) === VecElement{Int8}(3))  #: true
    memory = CuStaticSharedArray(Float32, 8)
    vectors = reinterpret(Four32, memory)
    vectors[2] = v
    put(o, 5, length(vectors))  #: i64(2)
    put(o, 6, memory[5])  #: f32(1.5)
    put(o, 7, memory[8])  #: f32(6)
    memory[6] = 7
    put(o, 8, vectors[2][2].value)  #: f32(7)
    s = CuStaticSharedArray(Padded, 2)
    s[2] = Padded(Int8(1), (VecElement(2f0), VecElement(3f0)), Int8(4))
    put(o, 9, s[2].v[2].value + s[2].b)  #: f32(7)
    return
end
