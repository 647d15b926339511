# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Hints to the caches: the instruction for each width, plain accesses where the architecture has none.
# RUN: %kiln compile %s "hints(CuDeviceVector{UInt32,1}, CuDeviceVector{UInt32,1})" --target ptx --arch sm_90 --no-cache -o - | %filecheck %s
# RUN: %kiln compile %s "hints(CuDeviceVector{UInt32,1}, CuDeviceVector{UInt32,1})" --target ptx --arch sm_75 --no-cache -o - | %filecheck %s --check-prefix=OLD
# RUN: %kiln compile %s "hints(CuDeviceVector{UInt32,1}, CuDeviceVector{UInt32,1})" --target ptx --arch sm_90 --no-cache --emit resources
# RUN: %kiln compile %s "hints(CuDeviceVector{UInt32,1}, CuDeviceVector{UInt32,1})" --target native --no-cache -o - | %filecheck %s --check-prefix=NATIVE
using CUDA

function hints(y, x)
    i = threadIdx().x
    four(A) = reinterpret(LLVMPtr{NTuple{4,UInt32},1}, pointer(A))
    two(A) = reinterpret(LLVMPtr{NTuple{2,UInt32},1}, pointer(A))
    # CHECK-LABEL: .entry {{.*}}hints
    # CHECK: createpolicy.fractional.L2::evict_first.b64 once, 1.0; ld.global.L1::no_allocate.L2::cache_hint.v4.b32
    # OLD-LABEL: .entry {{.*}}hints
    # OLD: ld.global.v4
    # OLD-NOT: createpolicy
    a = CUDA.hinted_load(four(x), i, Val(:once))
    # CHECK: ld.global.cs.v2.b32
    b = CUDA.hinted_load(two(x), i + 40i32, Val(:streaming))
    # CHECK: ld.global.b32
    c = CUDA.hinted_load(pointer(x), i + 90i32, Val(:plain))
    # CHECK: ld.global.cs.b32
    d = CUDA.hinted_load(pointer(x), i + 91i32, Val(:streaming))
    # CHECK: st.global.L1::no_allocate.L2::cache_hint.v4.b32
    CUDA.hinted_store!(four(y), a, i, Val(:once))
    # CHECK: st.global.cs.v2.b32
    CUDA.hinted_store!(two(y), b, i + 40i32, Val(:streaming))
    # CHECK: st.global.cs.b32
    CUDA.hinted_store!(pointer(y), c + d, i + 90i32, Val(:streaming))
    tile = CuStaticSharedArray(NTuple{4,UInt32}, 32)
    # CHECK: cp.async.cg.shared.global.L2::cache_hint [%r{{[0-9]+}}],
    CUDA.hinted_copy!(pointer(tile, i), four(x) + 16 * (i - 1), Val(:once))
    CG.pipeline_commit()
    # CHECK: griddepcontrol.wait;
    # OLD-NOT: griddepcontrol
    CUDA.grid_dependency_synchronize()
    # CHECK: griddepcontrol.launch_dependents;
    CUDA.trigger_programmatic_launch_completion()
    CG.pipeline_wait_all()
    @inbounds y[200+i] = tile[i][1]
    # OLD: ret;
    # NATIVE: hints
    return
end

# Other elements have none: the error names the call.
# RUN: not %kiln compile %s "other(CuDeviceVector{Float32,1})" --target ptx --arch sm_90 --no-cache -o - 2>&1 | %filecheck %s --check-prefix=OTHER
# OTHER: InvalidIRError[102]: MethodError: no method matching hinted_load(
function other(x)
    @inbounds x[1] = CUDA.hinted_load(pointer(x), 1, Val(:once))
    return
end
