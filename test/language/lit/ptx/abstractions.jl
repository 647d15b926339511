# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels of KernelAbstractions: under their own name over the launch, and over an iteration space with groups of a
# size that is known when they are compiled.
#
# RUN: %kiln compile %s 'scale!(CuDeviceVector{Float32,1},Float32)' --target ptx -g0 | %filecheck %s --check-prefix=LAUNCH
# LAUNCH: .visible .entry _Z6scale_13CuDeviceArrayI7Float32Ll1ELl1EES0_(
# LAUNCH-NOT: setp
# LAUNCH: st.global.b32
#
# RUN: %kiln compile %s 'turn!(CuDeviceVector{Float32,1})' --workgroupsize 64 --target ptx -g0 | %filecheck %s --check-prefix=GROUP
# GROUP: .visible .entry
# GROUP: .shared .align 32 .b8 {{.*}}[256];
# GROUP: st.shared.b32
# GROUP: bar.sync{{.*}}0;
# GROUP: ld.shared.b32
#
# RUN: %kiln compile %s 'gpu_scale!(KernelAbstractions.LaunchContext,CuDeviceVector{Float32,1},Float32)' --emit typed | %filecheck %s --check-prefix=GPU
# GPU: gpu_scale!(::KernelAbstractions.LaunchContext
#
# RUN: %status 2 %kiln compile %s 'scale!(CuDeviceVector{Float32,1},Float32)' --ndrange 100 2>&1 | %filecheck %s --check-prefix=HALF
# HALF: usage error[200]: --ndrange needs the size of a group: --workgroupsize
# RUN: %status 2 %kiln run %s scale! --arg 'zeros(Float32, 4)' --arg 2f0 --workgroupsize 4 2>&1 | %filecheck %s --check-prefix=OTHER
# OTHER: usage error[200]: --workgroupsize needs the iteration space of the launch: --ndrange
# RUN: %status 2 %kiln run %s scale! --arg 'zeros(Float32, 4)' --arg 2f0 --workgroupsize 4 --ndrange 4 --threads 4 2>&1 | %filecheck %s --check-prefix=TWICE
# TWICE: usage error[200]: --threads and --blocks follow from --ndrange and --workgroupsize
# RUN: %status 2 %kiln run %s scale! --arg 'zeros(Float32, 4)' --arg 2f0 --workgroupsize 4 --ndrange 4,x 2>&1 | %filecheck %s --check-prefix=TEXT
# TEXT: usage error[200]: --ndrange takes X[,Y...], numbers not below 0, not `4,x`

using KernelAbstractions

@kernel inbounds = true function scale!(A, f)
    i = @index(Global)
    A[i] *= f
end

@kernel function turn!(A)
    n = @uniform @groupsize()[1]
    i = @index(Local)
    I = @index(Global)
    tile = @localmem eltype(A) (n,)
    @inbounds tile[i] = A[I]
    @synchronize
    @inbounds A[I] = tile[n-i+1]
end
