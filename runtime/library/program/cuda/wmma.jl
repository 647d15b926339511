# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/driver
# Host side of module WMMA: lists of supported operations, and conversions of fragments to flat tuples.
module WMMA
const map_ptx_to_jl_array = Dict("u8" => UInt8, "s8" => Int8, "s32" => Int32, "f16" => Float16, "bf16" => BFloat16, "f32" => Float32)
const valid_shapes = [(16, 16, 16), (32, 8, 16), (8, 32, 16)]
# (shapes, matrices, elements)
const all_ldst_ops = [(valid_shapes, ["a", "b"], ["f16"]), (valid_shapes, ["c", "d"], ["f16", "f32"]), (valid_shapes, ["a", "b"], ["u8", "s8"]),
                      (valid_shapes, ["c", "d"], ["s32"]), (valid_shapes, ["a", "b"], ["bf16"])]
# Each entry: (shapes, element types of A and B, of C, of D).
const all_wmma_ops = [(valid_shapes, ["f16"], ["f16", "f32"], ["f16", "f32"]), (valid_shapes, ["s8", "u8"], ["s32"], ["s32"]), (valid_shapes, ["bf16"], ["f32"], ["f32"])]
get_hl_shape(M, N, K) = (M, N, K) in valid_shapes ? string("m", M, "n", N, "k", K) : error(string("Invalid shape for WMMA: (M, N, K) = (", M, ", ", N, ", ", K, ")"))
flatten(x) = (x,)
flatten(x::VecElement) = (x.value,)
flatten(x::Tuple{}) = ()
flatten(x::Tuple) = (flatten(x[1])..., flatten(Base.tail(x))...)
elements_of(::Type{T}) where {T} = 1
elements_of(::Type{NTuple{N,T}}) where {N,T} = N * elements_of(T)
unflatten(::Type{T}, x) where {T} = convert(T, x[1])
unflatten(::Type{VecElement{T}}, x) where {T} = VecElement{T}(x[1])
unflatten(::Type{NTuple{N,T}}, x) where {N,T} = (n = elements_of(T); ntuple(i -> unflatten(T, ntuple(j -> x[(i-1)*n+j], n)), N))
# Converts between a word and two BFloat16; the first one is in the word's lower half.
unpack_bf16(x::UInt32) = (reinterpret(BFloat16, rem(x, UInt16)), reinterpret(BFloat16, rem(x >> 16, UInt16)))
pack_bf16(a::BFloat16, b::BFloat16) = UInt32(reinterpret(UInt16, a)) | UInt32(reinterpret(UInt16, b)) << 16
flatten_bf16(x::Tuple) = ntuple(i -> unpack_bf16(x[div(i + 1, 2)])[isodd(i) ? 1 : 2], 2 * length(x))
unflatten_bf16(x::Tuple) = ntuple(i -> pack_bf16(x[2i-1], x[2i]), div(length(x), 2))
end
