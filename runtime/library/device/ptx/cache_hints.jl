# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; overlay: ptx; after: device/ptx/device
# ptx overlay: cache hints as inline PTX, since LLVM has no intrinsics for them. Hint :once makes the L2 cache evict
# the line first, through a cache policy in a register (from sm_80 and PTX ISA 7.4 on).

@inline has_policies() = (architecture() >= 80i32) & (ptx_isa() >= 74i32)
@inline hint_needs(::Val{:once}) = has_policies()
@inline hint_needs(::Val) = true
@inline hinted_load(p::LLVMPtr{T,1}, i::Integer, hint::Val) where {T<:HintedWords} =
    hint_needs(hint) ? load_words(p + sizeof(T) * (i - 1), hint) : unsafe_load(p, i, Val(sizeof(T)))
@inline function hinted_store!(p::LLVMPtr{T,1}, x::T, i::Integer, hint::Val) where {T<:HintedWords}
    hint_needs(hint) ? store_words(p + sizeof(T) * (i - 1), x, hint) : unsafe_store!(p, x, i, Val(sizeof(T)))
    return p
end
@inline hinted_load(p::LLVMPtr{T,1}, i::Integer, ::Val{:plain}) where {T<:HintedWords} = unsafe_load(p, i, Val(sizeof(T)))
@inline hinted_store!(p::LLVMPtr{T,1}, x::T, i::Integer, ::Val{:plain}) where {T<:HintedWords} = unsafe_store!(p, x, i, Val(sizeof(T)))
# From sm_100 and PTX ISA 8.8 on, a 32-byte access is one instruction; on older targets it is two accesses of 16
# bytes.
@inline has_wide() = (architecture() >= 100i32) & (ptx_isa() >= 88i32)
@inline wide_half(x::NTuple{8,UInt32}, ::Val{h}) where {h} = ntuple(k -> getfield(x, 4h + k), Val(4))
@inline wide_half(x::NTuple{4,UInt64}, ::Val{h}) where {h} =
    (rem(getfield(x, 2h + 1), UInt32), rem(getfield(x, 2h + 1) >> 32, UInt32), rem(getfield(x, 2h + 2), UInt32), rem(getfield(x, 2h + 2) >> 32, UInt32))
@inline wide_whole(::Type{NTuple{8,UInt32}}, a, b) = (a..., b...)
@inline wide_whole(::Type{NTuple{4,UInt64}}, a, b) = (wide_word(a[1], a[2]), wide_word(a[3], a[4]), wide_word(b[1], b[2]), wide_word(b[3], b[4]))
@inline wide_word(low::UInt32, high::UInt32) = zext_int(UInt64, low) | zext_int(UInt64, high) << 32
@inline halves_of(p::LLVMPtr) = pointer_cast(LLVMPtr{NTuple{4,UInt32},1}, p)
@inline hinted_load(p::LLVMPtr{T,1}, i::Integer, hint::Val) where {T<:WideWords} =
    has_wide() ? load_words(p + 32 * (i - 1), hint) : wide_whole(T, hinted_load(halves_of(p), 2i - 1, hint), hinted_load(halves_of(p), 2i, hint))
@inline function hinted_store!(p::LLVMPtr{T,1}, x::T, i::Integer, hint::Val) where {T<:WideWords}
    if has_wide()
        store_words(p + 32 * (i - 1), x, hint)
    else
        hinted_store!(halves_of(p), wide_half(x, Val(0)), 2i - 1, hint)
        hinted_store!(halves_of(p), wide_half(x, Val(1)), 2i, hint)
    end
    return p
end
@inline hinted_load(p::LLVMPtr{T,1}, i::Integer, ::Val{:plain}) where {T<:WideWords} = unsafe_load(p, i, Val(32))
@inline hinted_store!(p::LLVMPtr{T,1}, x::T, i::Integer, ::Val{:plain}) where {T<:WideWords} = unsafe_store!(p, x, i, Val(32))

for (hint, before, load, store, policy, after) in (
    (:streaming, "", "ld.global.cs", "st.global.cs", "", ""),
    (:once, "{ .reg .b64 once; createpolicy.fractional.L2::evict_first.b64 once, 1.0; ", "ld.global.L1::no_allocate.L2::cache_hint",
     "st.global.L1::no_allocate.L2::cache_hint", ", once", " }"))
    @eval begin
        @inline load_words(p::LLVMPtr{UInt32,1}, ::Val{$(QuoteNode(hint))}) =
            inline_assembly(Val(Symbol($before, $load, ".b32 \$0, [\$1]", $policy, ";", $after)), Val(Symbol("=r,l")), UInt32, Tuple{LLVMPtr{UInt32,1}}, p)
        @inline load_words(p::LLVMPtr{NTuple{2,UInt32},1}, ::Val{$(QuoteNode(hint))}) =
            inline_assembly(Val(Symbol($before, $load, ".v2.b32 {\$0, \$1}, [\$2]", $policy, ";", $after)), Val(Symbol("=r,=r,l")), NTuple{2,UInt32},
                            Tuple{LLVMPtr{NTuple{2,UInt32},1}}, p)
        @inline load_words(p::LLVMPtr{NTuple{4,UInt32},1}, ::Val{$(QuoteNode(hint))}) =
            inline_assembly(Val(Symbol($before, $load, ".v4.b32 {\$0, \$1, \$2, \$3}, [\$4]", $policy, ";", $after)), Val(Symbol("=r,=r,=r,=r,l")), NTuple{4,UInt32},
                            Tuple{LLVMPtr{NTuple{4,UInt32},1}}, p)
        @inline store_words(p::LLVMPtr{UInt32,1}, x, ::Val{$(QuoteNode(hint))}) =
            inline_assembly(Val(Symbol($before, $store, ".b32 [\$0], \$1", $policy, ";", $after)), Val(Symbol("l,r,~{memory}")), Nothing,
                            Tuple{LLVMPtr{UInt32,1},UInt32}, p, x)
        @inline store_words(p::LLVMPtr{NTuple{2,UInt32},1}, x, ::Val{$(QuoteNode(hint))}) =
            inline_assembly(Val(Symbol($before, $store, ".v2.b32 [\$0], {\$1, \$2}", $policy, ";", $after)), Val(Symbol("l,r,r,~{memory}")), Nothing,
                            Tuple{LLVMPtr{NTuple{2,UInt32},1},UInt32,UInt32}, p, x...)
        @inline store_words(p::LLVMPtr{NTuple{4,UInt32},1}, x, ::Val{$(QuoteNode(hint))}) =
            inline_assembly(Val(Symbol($before, $store, ".v4.b32 [\$0], {\$1, \$2, \$3, \$4}", $policy, ";", $after)), Val(Symbol("l,r,r,r,r,~{memory}")), Nothing,
                            Tuple{LLVMPtr{NTuple{4,UInt32},1},UInt32,UInt32,UInt32,UInt32}, p, x...)
        @inline load_words(p::LLVMPtr{NTuple{8,UInt32},1}, ::Val{$(QuoteNode(hint))}) =
            inline_assembly(Val(Symbol($before, $load, ".v8.b32 {\$0, \$1, \$2, \$3, \$4, \$5, \$6, \$7}, [\$8]", $policy, ";", $after)), Val(Symbol("=r,=r,=r,=r,=r,=r,=r,=r,l")),
                            NTuple{8,UInt32}, Tuple{LLVMPtr{NTuple{8,UInt32},1}}, p)
        @inline load_words(p::LLVMPtr{NTuple{4,UInt64},1}, ::Val{$(QuoteNode(hint))}) =
            inline_assembly(Val(Symbol($before, $load, ".v4.b64 {\$0, \$1, \$2, \$3}, [\$4]", $policy, ";", $after)), Val(Symbol("=l,=l,=l,=l,l")), NTuple{4,UInt64},
                            Tuple{LLVMPtr{NTuple{4,UInt64},1}}, p)
        @inline store_words(p::LLVMPtr{NTuple{8,UInt32},1}, x, ::Val{$(QuoteNode(hint))}) =
            inline_assembly(Val(Symbol($before, $store, ".v8.b32 [\$0], {\$1, \$2, \$3, \$4, \$5, \$6, \$7, \$8}", $policy, ";", $after)), Val(Symbol("l,r,r,r,r,r,r,r,r,~{memory}")),
                            Nothing, Tuple{LLVMPtr{NTuple{8,UInt32},1},UInt32,UInt32,UInt32,UInt32,UInt32,UInt32,UInt32,UInt32}, p, x...)
        @inline store_words(p::LLVMPtr{NTuple{4,UInt64},1}, x, ::Val{$(QuoteNode(hint))}) =
            inline_assembly(Val(Symbol($before, $store, ".v4.b64 [\$0], {\$1, \$2, \$3, \$4}", $policy, ";", $after)), Val(Symbol("l,l,l,l,l,~{memory}")), Nothing,
                            Tuple{LLVMPtr{NTuple{4,UInt64},1},UInt64,UInt64,UInt64,UInt64}, p, x...)
    end
end
# Works around ptxas 13.0: if a copy with a policy has a shared address that is a sum of a thread's part and a uniform part, ptxas emits `LDGSTS
# [R+UR], desc[UR]`. This form has no encoding and is an illegal instruction at run time. An exclusive-or with a zero
# that ptxas cannot see hides the sum.
@inline no_lane() = CUDA.lanemask(==) & CUDA.lanemask(<)
@inline function hinted_copy!(to::LLVMPtr{NTuple{4,UInt32},3}, from::LLVMPtr{NTuple{4,UInt32},1}, ::Val{:once})
    if has_policies()
        inline_assembly(Val(Symbol("{ .reg .b64 once; createpolicy.fractional.L2::evict_first.b64 once, 1.0; cp.async.cg.shared.global.L2::cache_hint [\$0], [\$1], 16, once; }")),
                        Val(Symbol("r,l,~{memory}")), Nothing, Tuple{UInt32,LLVMPtr{NTuple{4,UInt32},1}}, shared_word(to) ⊻ no_lane(), from)
    else
        unsafe_store!(to, unsafe_load(from, 1, Val(16)), 1, Val(16))
    end
    return
end
