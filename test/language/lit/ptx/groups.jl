# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Cooperative groups: the barrier of a cooperative launch, and copies that run on their own from sm_80 on.
#
# RUN: %kiln compile %s 'all_blocks(CuDeviceVector{Int32,1})' --target ptx -g0 | %filecheck %s --check-prefix=GRID
# GRID: %envreg1
# GRID: atom.add.release.gpu.u32
# GRID: ld.acquire.gpu.u32
#
# RUN: %if ptxas %{ %kiln compile %s 'all_blocks(CuDeviceVector{Int32,1})' --target ptx --emit resources | %filecheck %s --check-prefix=COOPERATIVE %}
# COOPERATIVE: cooperative launch: needed, it waits for its grid
# RUN: %if ptxas %{ %kiln compile %s 'copies(CuDeviceVector{Float64,1})' --target ptx --emit resources | %filecheck %s --check-prefix=ANY %}
# ANY: barriers:
# ANY-NOT: cooperative
#
# RUN: %kiln compile %s 'copies(CuDeviceVector{Float64,1})' --target ptx --arch sm_80 -g0 | %filecheck %s --check-prefix=ASYNC
# RUN: %kiln compile %s 'copies(CuDeviceVector{Float64,1})' --target ptx --arch sm_75 -g0 | %filecheck %s --check-prefix=PLAIN
# ASYNC: cp.async.ca.shared.global {{.*}}, 8;
# ASYNC: cp.async.commit_group
# ASYNC: cp.async.wait_group 2;
# PLAIN-NOT: cp.async
# PLAIN: st.shared
# PLAIN-NOT: cp.async

using CUDA

function all_blocks(a)
    grid = CG.this_grid()
    @inbounds a[CG.thread_rank(grid)] = 1
    CG.sync(grid)
    return
end

function copies(a)
    block = CG.this_thread_block()
    s = CuStaticSharedArray(Float64, 64)
    CG.memcpy_async(block, pointer(s), pointer(a), 512)
    CG.wait_prior(block, 2)
    @inbounds a[1] = s[64]
    return
end
