# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Clusters of blocks: their shape as a part of the kernel, their registers, barriers and shared memory; of sm_90 on.
#
# RUN: %kiln compile %s 'places(CuDeviceMatrix{Int32,1})' --target ptx -g0 --cluster 2,2 --maxthreads 64 | %filecheck %s --check-prefix=PLACES
# PLACES: .visible .entry _Z6places
# PLACES: )
# PLACES: .maxntid 64, 1, 1
# PLACES-NEXT: .explicitcluster
# PLACES-NEXT: .reqnctapercluster 2, 2, 1
# PLACES-NEXT: {
# PLACES-DAG: %cluster_nctaid.x
# PLACES-DAG: %nclusterid.x
# PLACES-DAG: %cluster_nctarank
# PLACES-DAG: %cluster_ctarank
# PLACES-DAG: %cluster_ctaid.y
# PLACES-DAG: %clusterid.z
# RUN: %kiln compile %s 'places(CuDeviceMatrix{Int32,1})' --target ptx -g0 | %filecheck %s --check-prefix=FREE
# FREE-NOT: cluster{{ |$}}
#
# RUN: %kiln compile %s 'neighbour(CuDeviceVector{Int32,1})' --target ptx --arch sm_90a -g0 | %filecheck %s --check-prefix=SHARED
# SHARED: .target sm_90a
# SHARED: st.shared.b32
# SHARED: barrier.cluster.arrive;
# SHARED: barrier.cluster.wait;
# SHARED: mapa.u64
# SHARED: ld.b32
# SHARED: barrier.cluster.arrive.relaxed;
# SHARED: barrier.cluster.wait;
#
# RUN: %status 1 %kiln compile %s 'neighbour(CuDeviceVector{Int32,1})' --target ptx --arch sm_80 2>&1 | %filecheck %s --check-prefix=OLD
# RUN: %status 1 %kiln compile %s 'neighbour(CuDeviceVector{Int32,1})' --target ptx --arch sm_80 -O0 2>&1 | %filecheck %s --check-prefix=OLD
# OLD: clusters.jl:[[@LINE+26]]:{{[0-9]+}}: InvalidIRError[125]: unsupported architecture: clusters of blocks need sm_90 or newer
# RUN: %kiln compile %s 'neighbour(CuDeviceVector{Int32,1})' --target ptx -O0 -o %t.O0.ptx
# RUN: %status 2 %kiln compile %s 'places(CuDeviceMatrix{Int32,1})' --target ptx --arch sm_89 --cluster 2 2>&1 | %filecheck %s --check-prefix=ARCH
# ARCH: usage error[200]: sm_89 has no clusters of blocks: they came with sm_90
# RUN: %status 2 %kiln compile %s 'places(CuDeviceMatrix{Int32,1})' --target ptx --cluster 8,4 2>&1 | %filecheck %s --check-prefix=LARGE
# LARGE: usage error[200]: cluster 8,4,1 is no shape of a cluster: it has 1 to 16 blocks, of which every device takes 8
#
# On the CPU each block is a cluster of its own.
# RUN: %kiln run --device cpu %s neighbour --arg 'zeros(Int32, 3)' --blocks 3 --threads 2 --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=CPU
# CPU: 1 1 1

using CUDA

function places(A)
    b = blockIdx().x
    @inbounds A[1, b] = clusterDim().x
    @inbounds A[2, b] = gridClusterDim().x
    @inbounds A[3, b] = linearClusterSize()
    @inbounds A[4, b] = linearBlockIdxInCluster()
    @inbounds A[5, b] = blockIdxInCluster().y
    @inbounds A[6, b] = clusterIdx().z
    return
end
function neighbour(A)
    s = CuStaticSharedArray(Int32, 4)
    rank = linearBlockIdxInCluster()
    threadIdx().x == 1 && (@inbounds s[1] = rank)
    cluster_arrive()
    cluster_wait()
    other = CuDistributedSharedArray(s, linearClusterSize() + 1i32 - rank)
    @inbounds A[blockIdx().x] = other[1]
    cluster_arrive_relaxed()
    cluster_wait()
    return
end
