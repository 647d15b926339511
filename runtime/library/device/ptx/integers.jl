# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; overlay: ptx; after: device/ptx/cache_hints
# ptx overlay: PTX's integer instructions that LLVM does not select from plain code.

for (A, a) in ((:Int32, ".s32"), (:UInt32, ".u32")), (B, b) in ((:Int32, ".s32"), (:UInt32, ".u32")), (f, name) in ((:dp4a, "dp4a"), (:dp2a_lo, "dp2a.lo"), (:dp2a_hi, "dp2a.hi"))
    @eval @inline $f(a::$A, b::$B, c::T) where {T<:Word} =
        inline_assembly(Val(Symbol($name, $a, $b, " \$0, \$1, \$2, \$3;")), Val(Symbol("=r,r,r,r")), T, Tuple{$A,$B,T}, a, b, c)
end
@inline byte_perm(x::Integer, y::Integer, z::Integer) =
    ccall("llvm.nvvm.prmt", llvmcall, Int32, (UInt32, UInt32, UInt32), rem(x, UInt32), rem(y, UInt32), rem(z, UInt32))
for (f, name) in ((:funnelshift_l, "shf.l.wrap.b32"), (:funnelshift_r, "shf.r.wrap.b32"), (:funnelshift_lc, "shf.l.clamp.b32"), (:funnelshift_rc, "shf.r.clamp.b32"))
    @eval @inline $f(lo::Word, hi::Word, shift) =
        inline_assembly(Val(Symbol($name, " \$0, \$1, \$2, \$3;")), Val(Symbol("=r,r,r,r")), UInt32, Tuple{UInt32,UInt32,UInt32}, rem(lo, UInt32), rem(hi, UInt32), rem(shift, UInt32))
end
@inline lop3(a::Word, b::Word, c::Word, ::Val{table}) where {table} =
    inline_assembly(Val(Symbol("lop3.b32 \$0, \$1, \$2, \$3, ", Int(table) & 255, ";")), Val(Symbol("=r,r,r,r")), UInt32, Tuple{UInt32,UInt32,UInt32}, rem(a, UInt32), rem(b, UInt32), rem(c, UInt32))
for (T, name) in ((:Int32, "sad.s32"), (:UInt32, "sad.u32"))
    @eval @inline sad(a::$T, b::$T, c::UInt32) = inline_assembly(Val(Symbol($name, " \$0, \$1, \$2, \$3;")), Val(Symbol("=r,r,r,r")), UInt32, Tuple{$T,$T,UInt32}, a, b, c)
end
