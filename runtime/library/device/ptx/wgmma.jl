# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; overlay: ptx; after: device/ptx/mbarrier
# ptx overlay: wgmma as inline PTX, since LLVM 22 has no intrinsics for it. Accumulators are inputs and outputs of the
# inline PTX.

@inline wgmma_name(::Type{T}) where {T} = wmma_name(Val(:a), T)
@inline wgmma_swizzle(::Val{s}) where {s} = s == 128 ? 0x4000000000000000 : s == 64 ? 0x8000000000000000 : s == 32 ? 0xc000000000000000 : 0x0000000000000000
# Makes the matrix descriptor as in the PTX manual. Addresses and distances are in units of 16 bytes.
@inline function wgmma_descriptor(m::SharedMatrix{T,along,swizzle}) where {T,along,swizzle}
    start = zext_int(UInt64, (shared_word(m.start) & 0x0003ffff) >> 4)
    return start | (zext_int(UInt64, (m.lead & 0x0003ffff) >> 4) << 16) | (zext_int(UInt64, (m.stride & 0x0003ffff) >> 4) << 32) | wgmma_swizzle(Val(swizzle))
end
@inline wgmma_letter(::Type{Float32}) = Symbol("f")
@inline wgmma_letter(::Type{Int32}) = Symbol("r")
# Last operands of the wgmma instruction: the signs of A and B. For 16-bit elements, also a flag for A and for B: 1 if
# the matrix is contiguous along `i`.
@inline wgmma_flags(::Type{<:Union{Float16,BFloat16}}, a, b) = Symbol(", 1, 1, ", a === :i ? 1 : 0, ", ", b === :i ? 1 : 0)
@inline wgmma_flags(::Type{Float32}, a, b) = Symbol(", 1, 1")
@inline wgmma_flags(::Type, a, b) = Symbol("")
@inline function wgmma_product(d::NTuple{R,D}, a::SharedMatrix{T,LA}, b::SharedMatrix{T,LB}, keep::Bool) where {R,D,T,LA,LB}
    need_wgmma()
    name = Symbol("k", wgmma_depth(T), ".", wmma_name(Val(:d), D), ".", wgmma_name(T), ".", wgmma_name(T))
    return wgmma_issue(d, wgmma_descriptor(a), wgmma_descriptor(b), ifelse(keep, 0x00000001, 0x00000000), Val(name), Val(wgmma_flags(T, LA, LB)), Val(wgmma_letter(D)))
end
@inline @generated function wgmma_issue(d::NTuple{R,D}, a::UInt64, b::UInt64, keep::UInt32, ::Val{name}, ::Val{flags}, ::Val{letter}) where {R,D,name,flags,letter}
    registers, outputs, inputs = "\$0", string("=", letter), "0"
    for i in 1:R-1
        registers, outputs, inputs = string(registers, ", \$", i), string(outputs, ",=", letter), string(inputs, ",", i)
    end
    text = string("{ .reg .pred keep; setp.ne.b32 keep, \$", R + 2, ", 0; wgmma.mma_async.sync.aligned.m64n", 2R, name, " {", registers, "}, \$", R, ", \$", R + 1, ", keep", flags, "; }")
    return :(hopper_registers(NTuple{$R,$D}, Val($(QuoteNode(Symbol(text)))), Val($(QuoteNode(Symbol(outputs, ",l,l,r,", inputs)))), a, b, keep, d...))
end
@inline hopper_registers(::Type{R}, text, constraints, args...) where {R} = inline_assembly(text, constraints, R, typeof(args), args...)

for (f, text) in ((:wgmma_fence, "wgmma.fence.sync.aligned;"), (:wgmma_commit, "wgmma.commit_group.sync.aligned;"))
    @eval @inline $f() = (need_wgmma(); inline_assembly(Val(Symbol($text)), Val(Symbol("~{memory}")), Nothing, Tuple{}))
end
@inline wgmma_wait(::Val{n}) where {n} = (need_wgmma(); inline_assembly(Val(Symbol("wgmma.wait_group.sync.aligned ", n, ";")), Val(Symbol("~{memory}")), Nothing, Tuple{}))
# The wait takes D as input and output of its inline PTX, so that no use of D moves before the wait.
@inline wgmma_wait(::Val{n}, d::NTuple{R,D}) where {n,R,D} = (need_wgmma(); wgmma_waited(d, Val(n), Val(wgmma_letter(D))))
@inline @generated function wgmma_waited(d::NTuple{R,D}, ::Val{n}, ::Val{letter}) where {R,D,n,letter}
    outputs, inputs = string("=", letter), "0"
    for i in 1:R-1
        outputs, inputs = string(outputs, ",=", letter), string(inputs, ",", i)
    end
    return :(hopper_registers(NTuple{$R,$D}, Val($(QuoteNode(Symbol("wgmma.wait_group.sync.aligned ", n, ";")))), Val($(QuoteNode(Symbol(outputs, ",", inputs, ",~{memory}")))), d...))
end
