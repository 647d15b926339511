# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln cache explain --emit cubin: the text's key and the cubin's. kiln cache verify assembles texts again.
# REQUIRES: nvjitlink
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %kiln cache explain %s 'kernel(CuDeviceVector{Float32,1})' --target ptx --emit cubin --cache c | %filecheck %s --check-prefix=EMPTY
# EMPTY: miss
# EMPTY-NEXT: nearest: none
# EMPTY-NEXT: cost of the miss: {{[0-9.]+}} ms, compiled now
# EMPTY-NEXT: cubin's key
# EMPTY-NEXT: cubin: miss: its text is new
# EMPTY-NEXT: cost of the miss: {{[0-9.]+}} ms, assembled now
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1})' --target ptx --cache c -o y.ptx
# RUN: %kiln cache explain %s 'kernel(CuDeviceVector{Float32,1})' --target ptx --emit cubin --cache c | %filecheck %s --check-prefix=TEXT
# TEXT: hit:
# TEXT: cubin: miss: this text was never assembled into this folder
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1})' --target ptx --emit cubin --cache c -o y.cubin
# RUN: %kiln cache explain %s 'kernel(CuDeviceVector{Float32,1})' --target ptx --emit cubin --cache c | %filecheck %s --check-prefix=HIT
# HIT: hit:
# HIT: cubin: hit: {{[0-9]+}} bytes by nvJitLink {{[0-9.]+}}, which took
# RUN: env KILN_CUDA_HOME=/nowhere %kiln cache explain %s 'kernel(CuDeviceVector{Float32,1})' --target ptx --emit cubin --cache c | %filecheck %s --check-prefix=HIT
# RUN: %kiln cache verify --cache c | %filecheck %s --check-prefix=VERIFY
# VERIFY: 1 were made again, 0 of them differed
# RUN: %kiln cache verify --cache c --sample 0 | %filecheck %s --check-prefix=NO
# NO: 0 were made again

function kernel(y)
    y[1] = 1f0
    return
end
