# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Integer instructions: one each.
#
# RUN: %kiln compile %s 'integers(CuDeviceVector{UInt32,1}, Int32, UInt32, Int32)' --target ptx -g0 -o %t.ptx
# RUN: %filecheck %s < %t.ptx
# CHECK: dp4a.s32.u32
# CHECK: dp2a.lo.s32.u32
# CHECK: dp2a.hi.u32.u32
# CHECK-DAG: prmt.b32
# CHECK-DAG: shf.l.wrap.b32
# CHECK-DAG: shf.r.wrap.b32
# CHECK-DAG: shf.l.clamp.b32
# CHECK-DAG: shf.r.clamp.b32
# CHECK-DAG: lop3.b32 {{.*}}, 232;
# CHECK-DAG: sad.s32
# CHECK-DAG: brev.b32
# CHECK-NOT: bra

using CUDA

function integers(o, a, b, c)
    @inbounds begin
        o[1] = CUDA.dp4a(a, b, c) % UInt32
        o[2] = CUDA.dp2a_lo(a, b, c) % UInt32
        o[3] = CUDA.dp2a_hi(b, b, b)
        o[4] = CUDA.byte_perm(a, b, c) % UInt32
        o[5] = CUDA.funnelshift_l(a, b, c)
        o[6] = CUDA.funnelshift_r(a, b, c)
        o[7] = CUDA.funnelshift_lc(a, b, c)
        o[8] = CUDA.funnelshift_rc(a, b, c)
        o[9] = CUDA.lop3(a, b, c, Val(0xe8))
        o[10] = CUDA.sad(a, c, b)
        o[11] = CUDA.brev(a)
    end
    return
end
