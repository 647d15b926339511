# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; overlay: ptx; after: device/ptx/wgmma
# ptx overlay: conversions of small floats (PTX ISA 9.0, "cvt") and arithmetic on pairs. fp8 conversions have
# instructions on sm_89 with PTX ISA 8.1, and on sm_90 and newer. fp6, fp4 and ue8m0 conversions have them from sm_100
# on, on architectures with suffix a or f. Pairs of Float32 have instructions from sm_100 on. The features of sm_100
# need PTX ISA 8.6. Other targets keep the software implementation.

@inline has_fp8() = (architecture() >= 90i32) | ((architecture() == 89i32) & (ptx_isa() >= 81i32))
@inline has_fp6() = feature_set(Val(:__CUDA_ARCH_FAMILY_SPECIFIC__)) >= 1000i32
@inline plain_pair(x::NTuple{2,VecElement{T}}) where {T} = (getfield(x, 1).value, getfield(x, 2).value)

# The conversion instruction takes the upper half first, so the operands are swapped.
for (format, has, to, from, word) in (
    (:e4m3, :has_fp8, "llvm.nvvm.ff.to.e4m3x2.rn", "llvm.nvvm.e4m3x2.to.f16x2.rn", :UInt16), (:e5m2, :has_fp8, "llvm.nvvm.ff.to.e5m2x2.rn", "llvm.nvvm.e5m2x2.to.f16x2.rn", :UInt16),
    (:e2m3, :has_fp6, "llvm.nvvm.ff.to.e2m3x2.rn.satfinite", "llvm.nvvm.e2m3x2.to.f16x2.rn", :UInt16), (:e3m2, :has_fp6, "llvm.nvvm.ff.to.e3m2x2.rn.satfinite", "llvm.nvvm.e3m2x2.to.f16x2.rn", :UInt16),
    (:e2m1, :has_fp6, "llvm.nvvm.ff.to.e2m1x2.rn.satfinite", "llvm.nvvm.e2m1x2.to.f16x2.rn", :UInt8))
    @eval begin
        @inline $(Symbol(:to_, format, :x2))(x::NTuple{2,Float32}) =
            $has() ? rem(ccall($to, llvmcall, UInt16, (Float32, Float32), getfield(x, 2), getfield(x, 1)), $word) : code_pair(x, Val($(QuoteNode(format))))
        @inline $(Symbol(:from_, format, :x2))(codes::$word) =
            $has() ? plain_pair(ccall($from, llvmcall, NTuple{2,VecElement{Float16}}, (UInt16,), rem(codes, UInt16))) : value_pair(codes, Val($(QuoteNode(format))))
    end
end
for (mode, to) in ((:rz, "llvm.nvvm.ff.to.ue8m0x2.rz.satfinite"), (:rp, "llvm.nvvm.ff.to.ue8m0x2.rp.satfinite"))
    @eval @inline to_ue8m0x2(x::NTuple{2,Float32}, mode::Val{$(QuoteNode(mode))}) =
        has_fp6() ? ccall($to, llvmcall, UInt16, (Float32, Float32), getfield(x, 2), getfield(x, 1)) : scale_pair(x, mode)
end
@inline from_ue8m0x2(codes::UInt16) =
    has_fp6() ? plain_pair(ccall("llvm.nvvm.ue8m0x2.to.bf16x2", llvmcall, NTuple{2,VecElement{BFloat16}}, (UInt16,), codes)) : scale_values(codes)

# Arithmetic on pairs of Float32 is inline PTX, since LLVM would fuse a vector product and sum. mul.rn.f32x2 is not
# used: ptxas 13.0 fuses it with a following add.rn.f32x2 into one FFMA2, even with -fmad=false. mul_f32x2 therefore
# remains two mul.rn.f32.
@inline has_f32x2() = architecture() >= 100i32
@inline pair_word(x::FloatPair) = zext_int(UInt64, reinterpret(UInt32, getfield(x, 1))) | zext_int(UInt64, reinterpret(UInt32, getfield(x, 2))) << 32
@inline word_pair(x::UInt64) = (reinterpret(Float32, trunc_int(UInt32, x)), reinterpret(Float32, trunc_int(UInt32, lshr_int(x, 32))))
for (f, text, plain) in ((:add_f32x2, "add.rn.f32x2 \$0, \$1, \$2;", :add_pair), (:sub_f32x2, "sub.rn.f32x2 \$0, \$1, \$2;", :sub_pair))
    @eval @inline $f(a::FloatPair, b::FloatPair) =
        has_f32x2() ? word_pair(pure_assembly(Val(Symbol($text)), Val(Symbol("=l,l,l")), UInt64, Tuple{UInt64,UInt64}, pair_word(a), pair_word(b))) : $plain(a, b)
end
@inline fma_f32x2(a::FloatPair, b::FloatPair, c::FloatPair) =
    has_f32x2() ? word_pair(pure_assembly(Val(Symbol("fma.rn.f32x2 \$0, \$1, \$2, \$3;")), Val(Symbol("=l,l,l,l")), UInt64, Tuple{UInt64,UInt64,UInt64}, pair_word(a), pair_word(b), pair_word(c))) :
    fma_pair(a, b, c)
