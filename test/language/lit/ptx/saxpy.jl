# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN: %kiln compile %examples/saxpy.jl 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --target ptx --arch sm_90 -o %t.ptx
# RUN: %filecheck %s < %t.ptx
# CHECK: .version 8.5
# CHECK: .target sm_90
# CHECK: .visible .entry _Z5saxpy
# CHECK: ld.global.b32
# CHECK: fma.rn.f32
# CHECK: st.global.b32
#
# RUN: %kiln compile %examples/saxpy.jl 'saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)' --target ptx --arch sm_70 --ptx-isa 7.0 --name hello --maxthreads 256 --minblocks 2 --maxregs 32 | %filecheck %s --check-prefix=BOUNDS
# BOUNDS: .version 7.0
# BOUNDS: .target sm_70
# BOUNDS: .visible .entry hello
# BOUNDS: .maxntid 256
# BOUNDS: .minnctapersm 2
# BOUNDS: .maxnreg 32
