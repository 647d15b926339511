# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; overlay: ptx; after: device/ptx/wmma
# ptx overlay: mbarrier, bulk and tensor copies, and register allocation, as inline PTX. LLVM 22 has intrinsics only
# for some of them.

@inline need_hopper() = architecture() >= 90i32 || architecture_error("mbarrier and bulk copies as Hopper has them need sm_90 or newer")
# Value of the architecture macro that nvcc would define; 0: undefined. If a launch fails with architecture_error, the
# kernel is compiled again for the GPU's own architecture with suffix `a` (lib/session/launch/job_code.cpp).
@inline feature_set(::Val{name}) where {name} = ccall("extern __nvvm_reflect", llvmcall, Int32, (Ptr{UInt8},), device_string(Val(name)))
@inline need_wgmma() = feature_set(Val(:__CUDA_ARCH_FEAT_SM90_ALL)) != 0i32 ||
                       architecture_error("wgmma is sm_90a's alone: compile for sm_90a, for GPUs of compute capability 9.0")
@inline need_setmaxnreg() = feature_set(Val(:__CUDA_ARCH_FAMILY_SPECIFIC__)) != 0i32 ||
                            architecture_error("setmaxnreg needs an architecture with a or f: compile for sm_90a, sm_100f, sm_110f or sm_120f")
@inline shared_word(p::LLVMPtr{T,3}) where {T} = trunc_int(UInt32, pointer_to_int(p))
@inline hopper_text(text::Symbol, constraints::Symbol, args...) = (need_hopper(); inline_assembly(Val(text), Val(Symbol(constraints, ",~{memory}")), Nothing, typeof(args), args...))
@inline hopper_value(::Type{R}, text::Symbol, constraints::Symbol, args...) where {R} = (need_hopper(); inline_assembly(Val(text), Val(Symbol(constraints, ",~{memory}")), R, typeof(args), args...))

@inline mbarrier_init(b::MBarrier, count::Integer) = hopper_text(Symbol("mbarrier.init.shared::cta.b64 [\$0], \$1;"), Symbol("r,r"), shared_word(b), rem(count, UInt32))
@inline mbarrier_inval(b::MBarrier) = hopper_text(Symbol("mbarrier.inval.shared::cta.b64 [\$0];"), Symbol("r"), shared_word(b))
@inline fence_mbarrier_init() = (need_hopper(); inline_assembly(Val(Symbol("fence.mbarrier_init.release.cluster;")), Val(Symbol("~{memory}")), Nothing, Tuple{}))
@inline fence_proxy_async() = (need_hopper(); inline_assembly(Val(Symbol("fence.proxy.async;")), Val(Symbol("~{memory}")), Nothing, Tuple{}))
@inline fence_proxy_async_shared() = (need_hopper(); inline_assembly(Val(Symbol("fence.proxy.async.shared::cta;")), Val(Symbol("~{memory}")), Nothing, Tuple{}))

@inline mbarrier_arrive(b::MBarrier, count::Integer=1) =
    hopper_value(UInt64, Symbol("mbarrier.arrive.release.cta.shared::cta.b64 \$0, [\$1], \$2;"), Symbol("=l,r,r"), shared_word(b), rem(count, UInt32))
@inline mbarrier_arrive_expect_tx(b::MBarrier, bytes::Integer) =
    hopper_value(UInt64, Symbol("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 \$0, [\$1], \$2;"), Symbol("=l,r,r"), shared_word(b), rem(bytes, UInt32))
@inline mbarrier_expect_tx(b::MBarrier, bytes::Integer) =
    hopper_text(Symbol("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [\$0], \$1;"), Symbol("r,r"), shared_word(b), rem(bytes, UInt32))
@inline mbarrier_complete_tx(b::MBarrier, bytes::Integer) =
    hopper_text(Symbol("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [\$0], \$1;"), Symbol("r,r"), shared_word(b), rem(bytes, UInt32))
@inline mbarrier_pending_count(state::UInt64) = hopper_value(UInt32, Symbol("mbarrier.pending_count.b64 \$0, \$1;"), Symbol("=r,l"), state)
# The arrival has block scope, like plain arrivals. A release to the cluster would wait for all of the thread's
# writes, about 500 cycles.
@inline mbarrier_arrive_remote(b::MBarrier, rank::Integer) =
    hopper_text(Symbol("{ .reg .b32 remote; mapa.shared::cluster.u32 remote, \$0, \$1; mbarrier.arrive.shared::cluster.b64 _, [remote]; }"), Symbol("r,r"),
                shared_word(b), rem(rank, UInt32) - 0x00000001)
for (f, name, S, letter) in ((:mbarrier_test_wait, "test_wait", :UInt64, "l"), (:mbarrier_try_wait, "try_wait", :UInt64, "l"),
                             (:mbarrier_test_wait_parity, "test_wait.parity", :Integer, "r"), (:mbarrier_try_wait_parity, "try_wait.parity", :Integer, "r"))
    @eval @inline $f(b::MBarrier, state::$S) =
        hopper_value(UInt32, Symbol("{ .reg .pred done; mbarrier.", $name, ".shared::cta.b64 done, [\$1], \$2; selp.b32 \$0, 1, 0, done; }"), Symbol("=r,r,", $letter),
                     shared_word(b), rem(state, $(S === :Integer ? :UInt32 : :UInt64))) != 0x00000000
end

# ---- bulk copies
@inline bulk_copy(to::LLVMPtr{S,3}, from::LLVMPtr{T,1}, bytes::Integer, b::MBarrier) where {S,T} =
    hopper_text(Symbol("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [\$0], [\$1], \$2, [\$3];"), Symbol("r,l,r,r"), shared_word(to), from, rem(bytes, UInt32), shared_word(b))
@inline bulk_copy_multicast(to::LLVMPtr{S,3}, from::LLVMPtr{T,1}, bytes::Integer, b::MBarrier, mask::Integer) where {S,T} =
    hopper_text(Symbol("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [\$0], [\$1], \$2, [\$3], \$4;"), Symbol("r,l,r,r,h"),
                shared_word(to), from, rem(bytes, UInt32), shared_word(b), rem(mask, UInt16))
@inline bulk_copy(to::LLVMPtr{S,1}, from::LLVMPtr{T,3}, bytes::Integer) where {S,T} =
    hopper_text(Symbol("cp.async.bulk.global.shared::cta.bulk_group [\$0], [\$1], \$2;"), Symbol("l,r,r"), to, shared_word(from), rem(bytes, UInt32))
@inline bulk_prefetch(from::LLVMPtr{T,1}, bytes::Integer) where {T} = hopper_text(Symbol("cp.async.bulk.prefetch.L2.global [\$0], \$1;"), Symbol("l,r"), from, rem(bytes, UInt32))
@inline bulk_commit() = (need_hopper(); inline_assembly(Val(Symbol("cp.async.bulk.commit_group;")), Val(Symbol("~{memory}")), Nothing, Tuple{}))
@inline bulk_wait(::Val{n}=Val(0)) where {n} = (need_hopper(); inline_assembly(Val(Symbol("cp.async.bulk.wait_group ", n, ";")), Val(Symbol("~{memory}")), Nothing, Tuple{}))
@inline bulk_wait_read(::Val{n}=Val(0)) where {n} = (need_hopper(); inline_assembly(Val(Symbol("cp.async.bulk.wait_group.read ", n, ";")), Val(Symbol("~{memory}")), Nothing, Tuple{}))

# ---- tensor copies. A tensor map is a kernel parameter; kiln.parameter_address returns its address.
@inline tensor_map_address(map::TensorMap{T,N}) where {T,N} = ccall("extern kiln.parameter_address", llvmcall, LLVMPtr{UInt8,0}, (TensorMap{T,N},), map)
# Operand text of the coordinates: "{$2, $3}" for two coordinates that begin with operand 2.
@inline tensor_coordinates(::Val{1}, first) = Symbol("{\$", first, "}")
@inline tensor_coordinates(::Val{2}, first) = Symbol("{\$", first, ", \$", first + 1, "}")
@inline tensor_coordinates(::Val{3}, first) = Symbol("{\$", first, ", \$", first + 1, ", \$", first + 2, "}")
@inline tensor_coordinates(::Val{4}, first) = Symbol("{\$", first, ", \$", first + 1, ", \$", first + 2, ", \$", first + 3, "}")
@inline tensor_coordinates(::Val{5}, first) = Symbol("{\$", first, ", \$", first + 1, ", \$", first + 2, ", \$", first + 3, ", \$", first + 4, "}")
@inline tensor_letters(::Val{1}) = Symbol(",r")
@inline tensor_letters(::Val{2}) = Symbol(",r,r")
@inline tensor_letters(::Val{3}) = Symbol(",r,r,r")
@inline tensor_letters(::Val{4}) = Symbol(",r,r,r,r")
@inline tensor_letters(::Val{5}) = Symbol(",r,r,r,r,r")
@inline tensor_at(at::NTuple{N,Integer}) where {N} = ntuple(TensorCoordinate(at), Val(N))
@inline tensor_load(to::LLVMPtr{T,3}, map::TensorMap{T,N}, at::NTuple{N,Integer}, b::MBarrier) where {T,N} =
    hopper_text(Symbol("cp.async.bulk.tensor.", N, "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [\$0], [\$1, ", tensor_coordinates(Val(N), 3), "], [\$2];"),
                Symbol("r,l,r", tensor_letters(Val(N))), shared_word(to), tensor_map_address(map), shared_word(b), tensor_at(at)...)
@inline tensor_load_multicast(to::LLVMPtr{T,3}, map::TensorMap{T,N}, at::NTuple{N,Integer}, b::MBarrier, mask::Integer) where {T,N} =
    hopper_text(Symbol("cp.async.bulk.tensor.", N, "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [\$0], [\$1, ", tensor_coordinates(Val(N), 4), "], [\$2], \$3;"),
                Symbol("r,l,r,h", tensor_letters(Val(N))), shared_word(to), tensor_map_address(map), shared_word(b), rem(mask, UInt16), tensor_at(at)...)
@inline tensor_store(map::TensorMap{T,N}, at::NTuple{N,Integer}, from::LLVMPtr{T,3}) where {T,N} =
    hopper_text(Symbol("cp.async.bulk.tensor.", N, "d.global.shared::cta.tile.bulk_group [\$0, ", tensor_coordinates(Val(N), 2), "], [\$1];"),
                Symbol("l,r", tensor_letters(Val(N))), tensor_map_address(map), shared_word(from), tensor_at(at)...)
@inline tensor_add_checked(map::TensorMap{T,N}, at, from::LLVMPtr{T,3}) where {T,N} =
    hopper_text(Symbol("cp.reduce.async.bulk.tensor.", N, "d.global.shared::cta.add.tile.bulk_group [\$0, ", tensor_coordinates(Val(N), 2), "], [\$1];"),
                Symbol("l,r", tensor_letters(Val(N))), tensor_map_address(map), shared_word(from), tensor_at(at)...)
@inline tensor_prefetch(map::TensorMap{T,N}, at::NTuple{N,Integer}) where {T,N} =
    hopper_text(Symbol("cp.async.bulk.prefetch.tensor.", N, "d.L2.global.tile [\$0, ", tensor_coordinates(Val(N), 1), "];"), Symbol("l", tensor_letters(Val(N))), tensor_map_address(map), tensor_at(at)...)
@inline tensor_map_prefetch(map::TensorMap) = hopper_text(Symbol("prefetch.tensormap [\$0];"), Symbol("l"), tensor_map_address(map))

# ---- registers
@inline setmaxnreg_inc(::Val{n}) where {n} = setmaxnreg_to(Val(n), Symbol("setmaxnreg.inc.sync.aligned.u32 ", n, ";"))
@inline setmaxnreg_dec(::Val{n}) where {n} = setmaxnreg_to(Val(n), Symbol("setmaxnreg.dec.sync.aligned.u32 ", n, ";"))
@inline function setmaxnreg_to(n, text::Symbol)
    setmaxnreg_checked(n)
    need_setmaxnreg()
    return inline_assembly(Val(text), Val(Symbol("~{memory}")), Nothing, Tuple{})
end
