# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; overlay: ptx; after: device/ptx/clusters
# ptx overlay: atomic operations with ordering and scope, as inline PTX. LLVM 22.1.8 keeps ordering and scope for
# loads, stores, fences and compare-and-swap, but drops them for read-modify-write (`atom.add`). A fence precedes each
# sequentially consistent operation, as PTX's memory model requires.

@inline ptx_scope(::Union{Val{:device},Val{:none}}) = :gpu
@inline ptx_scope(::Union{Val{:block},Val{:singlethread}}) = :cta
@inline ptx_scope(::Val{:system}) = :sys
@inline ptx_scope(::Val) = static_error("the scope of an atomic operation is block, device or system")
@inline ptx_space(::LLVMPtr{T,0}) where {T} = Symbol("")
@inline ptx_space(::LLVMPtr{T,1}) where {T} = Symbol(".global")
@inline ptx_space(::LLVMPtr{T,3}) where {T} = Symbol(".shared")
@inline ptx_space(::LLVMPtr) = static_error("atomics require a generic, global, or shared address space")
@inline ptx_order(::Union{Val{:unordered},Val{:monotonic}}) = :relaxed
@inline ptx_order(::Val{o}) where {o} = o === :seq_cst ? :acq_rel : o
@inline ptx_load_order(::Union{Val{:unordered},Val{:monotonic}}) = :relaxed
@inline ptx_load_order(::Union{Val{:acquire},Val{:seq_cst}}) = :acquire
@inline ptx_load_order(::Val) = static_error("a load can acquire, but not release")
@inline ptx_store_order(::Union{Val{:unordered},Val{:monotonic},Val{:seq_cst}}) = :relaxed
@inline ptx_store_order(::Val{:release}) = :release
@inline ptx_store_order(::Val) = static_error("a store can release, but not acquire")
@inline ptx_ordered() = architecture() >= 70i32 || architecture_error("atomic operations of an ordering and a scope need sm_70 or later")

@inline ordered_fence(::Union{Val{:unordered},Val{:monotonic}}, scope) = nothing
@inline function ordered_fence(::Val{o}, scope) where {o}
    ptx_ordered()
    return inline_assembly(Val(Symbol("fence.", o === :seq_cst ? :sc : :acq_rel, ".", ptx_scope(scope), ";")), Val(Symbol("~{memory}")), Nothing, Tuple{})
end
@inline fence_before(order::Val{:seq_cst}, scope) = ordered_fence(order, scope)
@inline fence_before(order, scope) = ptx_ordered()

# Integer type of the PTX register that holds a value's bits.
@inline register_bits(::Type{T}) where {T} = sizeof(T) <= 2 ? UInt16 : sizeof(T) == 4 ? UInt32 : sizeof(T) == 8 ? UInt64 : UInt128
@inline to_bits(x::Union{Int8,UInt8,Bool}) = zext_int(UInt16, bitcast(UInt8, x))
@inline to_bits(x::T) where {T} = bitcast(register_bits(T), x)
@inline to_bits(x::Union{Ptr,LLVMPtr}) = pointer_to_int(x)
@inline from_bits(::Type{T}, x::UInt16) where {T<:Union{Int8,UInt8,Bool}} = bitcast(T, trunc_int(UInt8, x))
@inline from_bits(::Type{T}, x) where {T} = bitcast(T, x)
@inline from_bits(::Type{T}, x) where {T<:Union{Ptr,LLVMPtr}} = int_to_pointer(T, x)
@inline register_letter(::Type{UInt16}) = :h
@inline register_letter(::Type{UInt32}) = :r
@inline register_letter(::Type{UInt64}) = :l

@inline function ordered_load(p::LLVMPtr{T}, order, scope) where {T}
    fence_before(order, scope)
    B = register_bits(T)
    text = Symbol("ld.", ptx_load_order(order), ".", ptx_scope(scope), ptx_space(p), ".b", 8 * sizeof(T), " \$0, [\$1];")
    return from_bits(T, inline_assembly(Val(text), Val(Symbol("=", register_letter(B), ",l,~{memory}")), B, Tuple{typeof(p)}, p))
end
@inline function ordered_store(p::LLVMPtr{T}, v::T, order, scope) where {T}
    fence_before(order, scope)
    B = register_bits(T)
    text = Symbol("st.", ptx_store_order(order), ".", ptx_scope(scope), ptx_space(p), ".b", 8 * sizeof(T), " [\$0], \$1;")
    return inline_assembly(Val(text), Val(Symbol("l,", register_letter(B), ",~{memory}")), Nothing, Tuple{typeof(p),B}, p, to_bits(v))
end

# Finds NAME in atom.ORDER.SCOPE.SPACE.NAME for an operation and a type. nothing: there is no such instruction.
@inline atom_name(op, ::Type) = nothing
for (T, bits, number, sum) in ((:Int32, "b32", "s32", "add.u32"), (:UInt32, "b32", "u32", "add.u32"), (:Int64, "b64", "s64", "add.u64"), (:UInt64, "b64", "u64", "add.u64"))
    @eval begin
        @inline atom_name(::Val{:add}, ::Type{$T}) = Symbol($sum)
        @inline atom_name(::Union{Val{:max},Val{:umax}}, ::Type{$T}) = Symbol("max.", $number)
        @inline atom_name(::Union{Val{:min},Val{:umin}}, ::Type{$T}) = Symbol("min.", $number)
        @inline atom_name(::Val{:and}, ::Type{$T}) = Symbol("and.", $bits)
        @inline atom_name(::Val{:or}, ::Type{$T}) = Symbol("or.", $bits)
        @inline atom_name(::Val{:xor}, ::Type{$T}) = Symbol("xor.", $bits)
    end
end
@inline atom_name(::Val{:inc}, ::Type{<:Union{Int32,UInt32}}) = Symbol("inc.u32")
@inline atom_name(::Val{:dec}, ::Type{<:Union{Int32,UInt32}}) = Symbol("dec.u32")
@inline atom_name(::Val{:xchg}, ::Type{T}) where {T} = sizeof(T) == 4 ? Symbol("exch.b32") : sizeof(T) == 8 ? Symbol("exch.b64") : nothing
@inline atom_name(::Val{:fadd}, ::Type{Float32}) = Symbol("add.f32")
@inline atom_name(::Val{:fadd}, ::Type{Float64}) = Symbol("add.f64")
@inline atom_name(::Val{:fadd}, ::Type{Float16}) = Symbol("add.noftz.f16")

@inline ordered_modify(op, p::LLVMPtr{T}, v::T, order, scope) where {T} = named_modify(atom_name(op, T), op, p, v, order, scope)
@inline ordered_modify(::Val{:sub}, p::LLVMPtr{T}, v::T, order, scope) where {T<:Union{Int32,UInt32,Int64,UInt64}} = ordered_modify(Val(:add), p, -v, order, scope)
@inline ordered_modify(op::Val{:fadd}, p::LLVMPtr{BFloat16}, v::BFloat16, order, scope) =
    architecture() >= 90i32 ? named_modify(Symbol("add.noftz.bf16"), op, p, v, order, scope) : named_modify(nothing, op, p, v, order, scope)
@inline function named_modify(name::Symbol, op, p::LLVMPtr{T}, v::T, order, scope) where {T}
    fence_before(order, scope)
    B = register_bits(T)
    letter = register_letter(B)
    text = Symbol("atom.", ptx_order(order), ".", ptx_scope(scope), ptx_space(p), ".", name, " \$0, [\$1], \$2;")
    return from_bits(T, inline_assembly(Val(text), Val(Symbol("=", letter, ",l,", letter, ",~{memory}")), B, Tuple{typeof(p),B}, p, to_bits(v)))
end
@inline function named_modify(name::Nothing, op, p::LLVMPtr{T}, v::T, order, scope) where {T}
    old = ordered_load(p, Val(:monotonic), scope)
    while true
        found = ordered_replace(p, old, modified(op, old, v), order, scope)
        found === old && return old
        old = found
    end
end
@inline modified(::Val{:xchg}, old, v) = v
@inline modified(::Union{Val{:add},Val{:fadd}}, old, v) = old + v
@inline modified(::Val{:sub}, old, v) = old - v
@inline modified(::Val{:and}, old, v) = old & v
@inline modified(::Val{:or}, old, v) = old | v
@inline modified(::Val{:xor}, old, v) = old ⊻ v
@inline modified(::Union{Val{:max},Val{:umax}}, old, v) = max(old, v)
@inline modified(::Union{Val{:min},Val{:umin}}, old, v) = min(old, v)

@inline function ordered_replace(p::LLVMPtr{T}, cmp::T, v::T, order, scope) where {T}
    fence_before(order, scope)
    return replace_bits(p, cmp, v, order, scope, Val(sizeof(T)))
end
@inline function replace_bits(p::LLVMPtr{T}, cmp, v, order, scope, ::Val{size}) where {T,size}
    B = register_bits(T)
    letter = register_letter(B)
    text = Symbol("atom.", ptx_order(order), ".", ptx_scope(scope), ptx_space(p), ".cas.b", 8 * size, " \$0, [\$1], \$2, \$3;")
    return from_bits(T, inline_assembly(Val(text), Val(Symbol("=", letter, ",l,", letter, ",", letter, ",~{memory}")), B, Tuple{typeof(p),B,B}, p, to_bits(cmp), to_bits(v)))
end
# No compare-and-swap instruction accesses a single byte: use the 16 bits that contain the byte.
@inline function replace_bits(p::LLVMPtr{T,A}, cmp, v, order, scope, ::Val{1}) where {T,A}
    address = pointer_to_int(p)
    both = int_to_pointer(LLVMPtr{UInt16,A}, and_int(address, not_int(oftype(address, 1))))
    shift = shl_int(trunc_int(UInt16, and_int(address, oftype(address, 1))), 3)
    other = not_int(shl_int(0x00ff, shift))
    old = ordered_load(both, Val(:monotonic), scope)
    while true
        byte = and_int(lshr_int(old, shift), 0x00ff)
        byte == to_bits(cmp) || return from_bits(T, byte)
        found = replace_bits(both, old, or_int(and_int(old, other), shl_int(to_bits(v), shift)), order, scope, Val(2))
        found == old && return cmp
        old = found
    end
end
# A 128-bit compare-and-swap passes each value as two halves.
@inline function replace_bits(p::LLVMPtr{T}, cmp, v, order, scope, ::Val{16}) where {T}
    architecture() >= 90i32 || architecture_error("a compare-and-swap of 128 bits needs sm_90 or later")
    old, new = to_bits(cmp), to_bits(v)
    text = Symbol("{ .reg .b128 a, b, c; mov.b128 b, {\$3, \$4}; mov.b128 c, {\$5, \$6}; atom.", ptx_order(order), ".", ptx_scope(scope), ptx_space(p),
                  ".cas.b128 a, [\$2], b, c; mov.b128 {\$0, \$1}, a; }")
    low, high = inline_assembly(Val(text), Val(Symbol("=l,=l,l,l,l,l,l,~{memory}")), Tuple{UInt64,UInt64}, Tuple{typeof(p),UInt64,UInt64,UInt64,UInt64},
                                p, trunc_int(UInt64, old), trunc_int(UInt64, lshr_int(old, 64)), trunc_int(UInt64, new), trunc_int(UInt64, lshr_int(new, 64)))
    return bitcast(T, or_int(zext_int(UInt128, low), shl_int(zext_int(UInt128, high), 64)))
end
# A 128-bit atomic load is a compare-and-swap of zero with zero.
@inline ordered_load(p::LLVMPtr{T}, order, scope) where {T<:Union{Int128,UInt128}} = ordered_replace(p, zero(T), zero(T), order, scope)
@inline ordered_store(p::LLVMPtr{T}, v::T, order, scope) where {T<:Union{Int128,UInt128}} = (ordered_modify(Val(:xchg), p, v, order, scope); nothing)
