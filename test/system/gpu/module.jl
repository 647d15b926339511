# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# PTX that a program brings: an entry that triples what it is given and adds its index. On a GPU (test/system/gpu/programs.py).
using CUDA
const text = """
.version 7.0
.target sm_70
.address_size 64
.visible .entry triple(.param .u64 out, .param .u64 in)
{
    .reg .b64 %rd<6>;
    .reg .b32 %r<4>;
    ld.param.u64 %rd1, [out];
    ld.param.u64 %rd2, [in];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd2, %rd3;
    ld.global.u32 %r2, [%rd4];
    mad.lo.u32 %r3, %r2, 3, %r1;
    add.s64 %rd5, %rd1, %rd3;
    st.global.u32 [%rd5], %r3;
    ret;
}
"""
source = CuArray(Int32[5, 7, 11, 13])
out = similar(source)
triple = CuFunction(CuModule(text), "triple")
cudacall(triple, Tuple{CuPtr{Int32},CuPtr{Int32}}, out, source; threads=4)
println(join(Array(out), " "))
