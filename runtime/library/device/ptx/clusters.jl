# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; overlay: ptx; after: device/ptx/groups
# ptx overlay: clusters of blocks, from sm_90 on.

@inline need_clusters() = architecture() >= 90i32 || architecture_error("clusters of blocks need sm_90 or newer")

for (f, x, y, z, first) in (
    (:clusterIdx, "llvm.nvvm.read.ptx.sreg.clusterid.x", "llvm.nvvm.read.ptx.sreg.clusterid.y", "llvm.nvvm.read.ptx.sreg.clusterid.z", 1),
    (:clusterDim, "llvm.nvvm.read.ptx.sreg.cluster.nctaid.x", "llvm.nvvm.read.ptx.sreg.cluster.nctaid.y", "llvm.nvvm.read.ptx.sreg.cluster.nctaid.z", 0),
    (:blockIdxInCluster, "llvm.nvvm.read.ptx.sreg.cluster.ctaid.x", "llvm.nvvm.read.ptx.sreg.cluster.ctaid.y", "llvm.nvvm.read.ptx.sreg.cluster.ctaid.z", 1),
    (:gridClusterDim, "llvm.nvvm.read.ptx.sreg.nclusterid.x", "llvm.nvvm.read.ptx.sreg.nclusterid.y", "llvm.nvvm.read.ptx.sreg.nclusterid.z", 0))
    @eval @inline function $f()
        need_clusters()
        a = ccall($x, llvmcall, Int32, ())
        b = ccall($y, llvmcall, Int32, ())
        c = ccall($z, llvmcall, Int32, ())
        d = trunc_int(Int32, $first)
        return newtuple_(Index3, add_int(a, d), add_int(b, d), add_int(c, d))
    end
end
@inline function linearBlockIdxInCluster()
    need_clusters()
    return ccall("llvm.nvvm.read.ptx.sreg.cluster.ctarank", llvmcall, Int32, ()) + 1i32
end
@inline function linearClusterSize()
    need_clusters()
    return ccall("llvm.nvvm.read.ptx.sreg.cluster.nctarank", llvmcall, Int32, ())
end
for (f, name) in ((:cluster_arrive, "llvm.nvvm.barrier.cluster.arrive"), (:cluster_arrive_relaxed, "llvm.nvvm.barrier.cluster.arrive.relaxed"), (:cluster_wait, "llvm.nvvm.barrier.cluster.wait"))
    @eval @inline function $f()
        need_clusters()
        return ccall($name, llvmcall, Cvoid, ())
    end
end
@inline function map_shared_rank(p::LLVMPtr{T,3}, rank::Integer) where {T}
    need_clusters()
    return ccall("llvm.nvvm.mapa", llvmcall, LLVMPtr{T,0}, (LLVMPtr{T,0}, Int32), pointer_cast(LLVMPtr{T,0}, p), rem(rank, Int32) - 1i32)
end
for (f, text) in ((:grid_dependency_synchronize, "griddepcontrol.wait;"), (:trigger_programmatic_launch_completion, "griddepcontrol.launch_dependents;"))
    @eval @inline function $f()
        architecture() >= 90i32 && inline_assembly(Val(Symbol($text)), Val(Symbol("~{memory}")), Nothing, Tuple{})
        return
    end
end
