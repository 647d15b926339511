# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; when: llvm_wmma_*
# Module WMMA: a function for each operation, named after LLVM's intrinsic. Fragments are tuples of registers:
# llvm_wmma_load_a_col_m16n16k16_global_stride_f16(address, stride), llvm_wmma_mma_col_row_m16n16k16_f32_f32(a, b, c),
# llvm_wmma_store_d_row_m16n16k16_shared_stride_f32(address, d, stride). There are 400 of these names: a session
# defines them when a program uses one.

module WMMA

const shapes_of_16 = ((16, 16, 16), (32, 8, 16), (8, 32, 16))
# Loads: element type, its name, matrices, shapes. Kinds with matrix C also get stores of D.
const stored_kinds = (
    (:Float16, :f16, (:a, :b, :c), shapes_of_16), (:BFloat16, :bf16, (:a, :b), shapes_of_16), (:Int8, :s8, (:a, :b), shapes_of_16), (:UInt8, :u8, (:a, :b), shapes_of_16),
    (:Float32, :f32, (:c,), (shapes_of_16..., (16, 16, 8))), (:Int32, :s32, (:c,), shapes_of_16), (:Float32, :tf32, (:a, :b), ((16, 16, 8),)), (:Float64, :f64, (:a, :b, :c), ((8, 8, 4),)))
# Products: element type of A and B, of D, of C, name, shapes.
const product_kinds = (
    (:Float16, :Float16, :Float16, :f16_f16, shapes_of_16), (:Float16, :Float16, :Float32, :f16_f32, shapes_of_16), (:Float16, :Float32, :Float16, :f32_f16, shapes_of_16),
    (:Float16, :Float32, :Float32, :f32_f32, shapes_of_16), (:BFloat16, :Float32, :Float32, :bf16, shapes_of_16), (:Int8, :Int32, :Int32, :s8, shapes_of_16),
    (:UInt8, :Int32, :Int32, :u8, shapes_of_16), (:Float32, :Float32, :Float32, :tf32, ((16, 16, 8),)), (:Float64, :Float64, :Float64, :f64, ((8, 8, 4),)))
const address_spaces = ((:_, 0), (:_shared_, 3), (:_global_, 1))

for (T, elem, mats, shapes) in stored_kinds, mat in mats, s in shapes, layout in (:col, :row), (space, A) in address_spaces
    @eval @inline $(Symbol(:llvm_wmma_load_, mat, :_, layout, :_m, s[1], :n, s[2], :k, s[3], space, :stride_, elem))(address::LLVMPtr, stride) =
        CUDA.wmma_load(Val($(QuoteNode(mat))), Val($(QuoteNode(layout))), Val($s), $T, reinterpret(LLVMPtr{$T,$A}, address), stride)
    if mat === :c
        @eval @inline $(Symbol(:llvm_wmma_store_d_, layout, :_m, s[1], :n, s[2], :k, s[3], space, :stride_, elem))(address::LLVMPtr, d, stride) =
            CUDA.wmma_store(Val($(QuoteNode(layout))), Val($s), $T, reinterpret(LLVMPtr{$T,$A}, address), convert(wmma_fragment(Val(:d), Val($s), $T), d), stride)
    end
end
for (T, D, S, kind, shapes) in product_kinds, s in shapes, a in (:col, :row), b in (:col, :row)
    @eval @inline $(Symbol(:llvm_wmma_mma_, a, :_, b, :_m, s[1], :n, s[2], :k, s[3], :_, kind))(a, b, c) =
        CUDA.wmma_mma(Val($(QuoteNode(a))), Val($(QuoteNode(b))), Val($s), $T, $D, $S, a, b, c)
end

for (T, elem, mats, shapes) in stored_kinds, mat in mats, s in shapes, layout in (:col, :row), (space, A) in address_spaces
    name = Symbol(layout, :_m, s[1], :n, s[2], :k, s[3], space, :stride_, elem)
    @eval export $(Symbol(:llvm_wmma_load_, mat, :_, name))
    mat === :c && @eval export $(Symbol(:llvm_wmma_store_d_, name))
end
for (T, D, S, kind, shapes) in product_kinds, s in shapes, a in (:col, :row), b in (:col, :row)
    @eval export $(Symbol(:llvm_wmma_mma_, a, :_, b, :_m, s[1], :n, s[2], :k, s[3], :_, kind))
end

end
