# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; overlay: ptx; after: device/ptx/small_floats
# ptx overlay: cluster launch control, tensor memory, and tcgen05's matrix products, as inline PTX.

@inline need_cluster_launch() = architecture() >= 100i32 || architecture_error("cluster launch control needs sm_100 or newer")
@inline function try_cancel(answer::CancelAnswer, b::MBarrier)
    need_cluster_launch()
    return hopper_text(Symbol("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [\$0], [\$1];"), Symbol("r,r"), shared_word(answer), shared_word(b))
end
@inline function is_canceled(answer::CancelAnswer)
    need_cluster_launch()
    return ccall("llvm.nvvm.clusterlaunchcontrol.query_cancel.is_canceled", llvmcall, Bool, (UInt128,), pointer_load(answer, 0, Val(16)))
end
@inline function first_block(answer::CancelAnswer)
    need_cluster_launch()
    x = pointer_load(answer, 0, Val(16))
    return newtuple_(Index3, ccall("llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.x", llvmcall, Int32, (UInt128,), x) + 1i32,
                     ccall("llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.y", llvmcall, Int32, (UInt128,), x) + 1i32,
                     ccall("llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.z", llvmcall, Int32, (UInt128,), x) + 1i32)
end

# Checks for sm_100, sm_110 or a member of their families. Only sm_100a and sm_110a multiply integer matrices.
@inline function need_tcgen05()
    family = feature_set(Val(:__CUDA_ARCH_FAMILY_SPECIFIC__))
    return (1000i32 <= family) & (family < 1200i32) || architecture_error("tcgen05 and tensor memory need an architecture with a or f: compile for sm_100f or sm_110f")
end
@inline function need_tcgen05_kind(::Val{kind}) where {kind}
    need_tcgen05()
    chip = feature_set(Val(:__CUDA_ARCH_SPECIFIC__))
    return (kind !== :i8) | (chip == 1000i32) | (chip == 1100i32) || architecture_error("tcgen05_mma of Int8 and UInt8 is of two chips: compile for sm_100a or sm_110a")
end
@inline tcgen05_text(text::Symbol, constraints::Symbol, args...) = (need_tcgen05(); inline_assembly(Val(text), Val(Symbol(constraints, ",~{memory}")), Nothing, typeof(args), args...))
@inline tcgen05_plain(text::Symbol) = (need_tcgen05(); inline_assembly(Val(text), Val(Symbol("~{memory}")), Nothing, Tuple{}))

# ---- tensor memory
@inline tensor_alloc(to::LLVMPtr{UInt32,3}, ::Val{n}) where {n} =
    tcgen05_text(Symbol("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [\$0], ", n, ";"), Symbol("r"), shared_word(to))
@inline tensor_dealloc(address::UInt32, ::Val{n}) where {n} = tcgen05_text(Symbol("tcgen05.dealloc.cta_group::1.sync.aligned.b32 \$0, ", n, ";"), Symbol("r"), address)
@inline tcgen05_relinquish_alloc_permit() = tcgen05_plain(Symbol("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;"))
@inline tensor_letter(::Type{Float32}) = Symbol("f")
@inline tensor_letter(::Type) = Symbol("r")
@inline tensor_load(::Type{T}, address::UInt32, ::Val{n}) where {T,n} = (need_tcgen05(); tensor_loaded(T, address, Val(n), Val(tensor_letter(T))))
@inline @generated function tensor_loaded(::Type{T}, address::UInt32, ::Val{n}, ::Val{letter}) where {T,n,letter}
    registers, outputs = "\$0", string("=", letter)
    for i in 1:n-1
        registers, outputs = string(registers, ", \$", i), string(outputs, ",=", letter)
    end
    text = string("tcgen05.ld.sync.aligned.32x32b.x", n, ".b32 {", registers, "}, [\$", n, "];")
    return :(hopper_registers(NTuple{$n,$T}, Val($(QuoteNode(Symbol(text)))), Val($(QuoteNode(Symbol(outputs, ",r,~{memory}")))), address))
end
@inline tensor_store(address::UInt32, x::NTuple{n,T}) where {n,T} = (need_tcgen05(); tensor_stored(address, x, Val(tensor_letter(T))))
@inline @generated function tensor_stored(address::UInt32, x::NTuple{n,T}, ::Val{letter}) where {n,T,letter}
    registers, inputs = "\$1", string("r,", letter)
    for i in 2:n
        registers, inputs = string(registers, ", \$", i), string(inputs, ",", letter)
    end
    text = string("tcgen05.st.sync.aligned.32x32b.x", n, ".b32 [\$0], {", registers, "};")
    return :(hopper_registers(Nothing, Val($(QuoteNode(Symbol(text)))), Val($(QuoteNode(Symbol(inputs, ",~{memory}")))), address, x...))
end
# The wait takes the loaded values as inputs and outputs of its inline PTX, so that no use of them moves before the
# wait.
@inline tcgen05_wait_ld(x::NTuple{n,T}) where {n,T} = (need_tcgen05(); tensor_waited(x, Val(tensor_letter(T))))
@inline @generated function tensor_waited(x::NTuple{n,T}, ::Val{letter}) where {n,T,letter}
    outputs, inputs = string("=", letter), "0"
    for i in 1:n-1
        outputs, inputs = string(outputs, ",=", letter), string(inputs, ",", i)
    end
    return :(hopper_registers(NTuple{$n,$T}, Val($(QuoteNode(Symbol("tcgen05.wait::ld.sync.aligned;")))), Val($(QuoteNode(Symbol(outputs, ",", inputs, ",~{memory}")))), x...))
end
@inline tcgen05_wait_st() = tcgen05_plain(Symbol("tcgen05.wait::st.sync.aligned;"))

# ---- matrix products. PTX ISA 9.0 describes the operands in "Shared memory descriptor" and "Instruction descriptor".
@inline tcgen05_swizzle(::Val{s}) where {s} = s == 128 ? 0x4000000000000000 : s == 64 ? 0x8000000000000000 : s == 32 ? 0xc000000000000000 : 0x0000000000000000
@inline function tcgen05_operand(m::SharedMatrix{T,along,swizzle}) where {T,along,swizzle}
    start = zext_int(UInt64, (shared_word(m.start) & 0x0003ffff) >> 4)
    return start | (zext_int(UInt64, (m.lead & 0x0003ffff) >> 4) << 16) | (zext_int(UInt64, (m.stride & 0x0003ffff) >> 4) << 32) | 0x0000400000000000 | tcgen05_swizzle(Val(swizzle))
end
@inline tcgen05_operand(m::TensorMatrix) = m.address
@inline tcgen05_letter(::SharedMatrix) = Symbol("\$1")
@inline tcgen05_letter(::TensorMatrix) = Symbol("[\$1]")
@inline tcgen05_format(::Type{<:Union{Float16,E4M3,UInt8}}) = 0x00000000
@inline tcgen05_format(::Type{<:Union{BFloat16,E5M2,Int8}}) = 0x00000001
@inline tcgen05_format(::Type{Float32}) = 0x00000002
@inline tcgen05_turned(m) = tcgen05_along(m) === :i ? 0x00000001 : 0x00000000
@inline tcgen05_shape(a::Tcgen05A{TA}, b::SharedMatrix{TB}, ::Val{n}, ::Val{kind}) where {TA,TB,n,kind} =
    (kind === :i8 ? 0x00000020 : 0x00000010) | tcgen05_format(TA) << 7 | tcgen05_format(TB) << 10 | tcgen05_turned(a) << 15 | tcgen05_turned(b) << 16 | UInt32(div(n, 8)) << 17 | 0x08000000
@inline function tcgen05_product(d::UInt32, a, b, ::Val{n}, keep::Bool, ::Val{kind}) where {n,kind}
    need_tcgen05_kind(Val(kind))
    return tcgen05_text(Symbol("{ .reg .pred keep; setp.ne.b32 keep, \$4, 0; tcgen05.mma.cta_group::1.kind::", kind, " [\$0], ", tcgen05_letter(a), ", \$2, \$3, keep; }"),
                        tcgen05_registers(a), d, tcgen05_operand(a), tcgen05_operand(b), tcgen05_shape(a, b, Val(n), Val(kind)), ifelse(keep, 0x00000001, 0x00000000))
end
@inline tcgen05_registers(::SharedMatrix) = Symbol("r,l,l,r,r")
@inline tcgen05_registers(::TensorMatrix) = Symbol("r,r,l,r,r")
@inline tcgen05_commit(b::MBarrier) = tcgen05_text(Symbol("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [\$0];"), Symbol("r"), shared_word(b))
@inline tcgen05_fence_before_thread_sync() = tcgen05_plain(Symbol("tcgen05.fence::before_thread_sync;"))
@inline tcgen05_fence_after_thread_sync() = tcgen05_plain(Symbol("tcgen05.fence::after_thread_sync;"))
