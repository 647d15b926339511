# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Cubins in the cache's folder: a hit maps no assembler, and serves a machine that has none; what is linked is part of the key.
# REQUIRES: nvjitlink
#
# RUN: rm -rf %t && mkdir -p %t
# RUN: env LD_DEBUG=files %kiln compile %s 'plain(CuDeviceVector{Float32,1})' --target ptx --emit cubin -o %t/cold --cache %t/cache 2>&1 | %filecheck %s --check-prefix=COLD
# COLD: libnvJitLink
# RUN: env LD_DEBUG=files %kiln compile %s 'plain(CuDeviceVector{Float32,1})' --target ptx --emit cubin -o %t/warm --cache %t/cache 2>&1 | %filecheck %s --check-prefix=WARM
# WARM-NOT: libnvJitLink
# RUN: cmp %t/cold %t/warm
# RUN: env KILN_CUDA_HOME=%t/nowhere %kiln compile %s 'plain(CuDeviceVector{Float32,1})' --target ptx --emit cubin -o %t/bare --cache %t/cache
# RUN: cmp %t/cold %t/bare
# It is not there for another kernel.
# RUN: env KILN_CUDA_HOME=%t/nowhere %status 3 %kiln compile %s 'other(CuDeviceVector{Float32,1})' --target ptx --emit cubin -o %t/none --cache %t/cache 2>&1 | %filecheck %s --check-prefix=NONE
# NONE: there is no assembler for PTX
#
# The same name, another content.
# RUN: cp %S/../ptx/inputs/tripled.ptx %t/linked.ptx
# RUN: %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --target ptx --emit cubin -o %t/three --cache %t/cache --link %t/linked.ptx
# RUN: sed 's/0f40400000/0f40800000/' %S/../ptx/inputs/tripled.ptx > %t/linked.ptx
# RUN: %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --target ptx --emit cubin -o %t/four --cache %t/cache --link %t/linked.ptx
# RUN: not cmp %t/three %t/four
# RUN: cp %S/../ptx/inputs/tripled.ptx %t/again.ptx
# RUN: %kiln compile %s 'triple(CuDeviceVector{Float32,1})' --target ptx --emit cubin -o %t/again --cache %t/cache --link %t/again.ptx --timings=json 2>&1 | %filecheck %s --check-prefix=AGAIN
# AGAIN-NOT: "assemble"
# RUN: cmp %t/three %t/again

using CUDA

function plain(y)
    @inbounds y[threadIdx().x] += 1f0
    return
end

function other(y)
    @inbounds y[threadIdx().x] += 2f0
    return
end

function triple(y)
    @inbounds y[1] = ccall("extern tripled", llvmcall, Float32, (Float32,), y[1])
    return
end
