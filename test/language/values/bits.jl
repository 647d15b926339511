# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Integer functions of the device, one line each.

using CUDA

function bits(o, a, b, c)
    i = threadIdx().x
    x, y, z = a[i], b[i], c[i]
    s, t, u = x % Int32, y % Int32, z % Int32
    o[i, 1] = CUDA.dp4a(x, y, z)
    o[i, 2] = CUDA.dp4a(s, t, u) % UInt32
    o[i, 3] = CUDA.dp4a(s, y, z)
    o[i, 4] = CUDA.dp2a_lo(x, y, z)
    o[i, 5] = CUDA.dp2a_hi(s, t, u) % UInt32
    o[i, 6] = CUDA.byte_perm(x, y, z) % UInt32
    o[i, 7] = CUDA.funnelshift_l(x, y, z)
    o[i, 8] = CUDA.funnelshift_r(x, y, z)
    o[i, 9] = CUDA.funnelshift_lc(x, y, z & 0x3f)
    o[i, 10] = CUDA.funnelshift_rc(x, y, z & 0x3f)
    o[i, 11] = CUDA.lop3(x, y, z, Val(0xe8))
    o[i, 12] = CUDA.lop3(s, t, u, Val(0x96))
    o[i, 13] = CUDA.sad(s, t, z)
    o[i, 14] = CUDA.sad(x, y, z)
    o[i, 15] = CUDA.mul24(x, y)
    o[i, 16] = CUDA.mul24(s, t) % UInt32
    o[i, 17] = CUDA.brev(x)
    o[i, 18] = CUDA.popc(x) + 100 * CUDA.clz(x) + 10000 * CUDA.ffs(x)
    return
end
