# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# KILN_DUMP_DIR: the cubin too, made now or found in the cache's folder.
# REQUIRES: ptxas
#
# RUN: rm -rf %t.dir %t.cache
# RUN: env KILN_DUMP_DIR=%t.dir %kiln compile %s 'kernel(CuDeviceVector{Float32,1})' --target ptx --emit cubin --cache %t.cache -o %t.cubin
# RUN: ls %t.dir | %filecheck %s --match-full-lines
#      CHECK: kernel.[[JOB:[0-9a-f]+]].cubin
# CHECK-NEXT: kernel.[[JOB]].ll
# CHECK-NEXT: kernel.[[JOB]].lowered.jl
# CHECK-NEXT: kernel.[[JOB]].opt.ll
# CHECK-NEXT: kernel.[[JOB]].ptx
# CHECK-NEXT: kernel.[[JOB]].typed.jl
# RUN: cmp %t.dir/kernel.*.cubin %t.cubin
# RUN: rm -r %t.dir
# RUN: env KILN_DUMP_DIR=%t.dir %kiln compile %s 'kernel(CuDeviceVector{Float32,1})' --target ptx --emit cubin --cache %t.cache -o %t.again.cubin
# RUN: ls %t.dir | %filecheck %s --check-prefix=FOUND --match-full-lines
#      FOUND: kernel.[[JOB:[0-9a-f]+]].cubin
# FOUND-NEXT: kernel.[[JOB]].ptx
#  FOUND-NOT: {{.+}}
# RUN: cmp %t.dir/kernel.*.cubin %t.cubin

using CUDA

function kernel(y)
    y[1] = 1f0
    return
end
