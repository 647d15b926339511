# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# KILN_DUMP_DIR: every job leaves its stages there, in a folder that is made if need be. Names tell function and job.
#
# RUN: rm -rf %t.dir
# RUN: env KILN_DUMP_DIR=%t.dir/deep %kiln compile %s 'kernel(CuDeviceVector{Float32,1})' --target ptx -o %t.ptx
# RUN: ls %t.dir/deep | %filecheck %s --check-prefix=PTX --match-full-lines
#      PTX: kernel.[[JOB:[0-9a-f]+]].ll
# PTX-NEXT: kernel.[[JOB]].lowered.jl
# PTX-NEXT: kernel.[[JOB]].opt.ll
# PTX-NEXT: kernel.[[JOB]].ptx
# PTX-NEXT: kernel.[[JOB]].typed.jl
#  PTX-NOT: {{.+}}
# RUN: cat %t.dir/deep/*.ptx | diff - %t.ptx
#
# The cache's folder is used as ever. What it holds is what is left of a job that it holds.
# RUN: rm -rf %t.dir %t.cache
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1})' --target ptx --cache %t.cache -o %t.first.ptx
# RUN: env KILN_DUMP_DIR=%t.dir %kiln compile %s 'kernel(CuDeviceVector{Float32,1})' --target ptx --cache %t.cache -o %t.ptx
# RUN: ls %t.dir | %filecheck %s --check-prefix=FOUND --match-full-lines
# FOUND-NOT: {{.+}}
#     FOUND: kernel.{{[0-9a-f]+}}.ptx
# FOUND-NOT: {{.+}}
# RUN: cat %t.dir/*.ptx | diff - %t.first.ptx
# RUN: env KILN_DUMP_DIR=%t.dir %kiln compile %s 'kernel(CuDeviceVector{Float32,1})' --target ptx -g0 --cache %t.cache -o %t.ptx
# RUN: %kiln cache stat --cache %t.cache | %filecheck %s --check-prefix=KEPT
# KEPT: entries: 4
#
# A launch on the CPU leaves its assembly too; a function's name is made fit for a file's.
# RUN: rm -rf %t.dir
# RUN: env KILN_DUMP_DIR=%t.dir %kiln run %s kernel --arg 'zeros(Float32, 1)'
# RUN: env KILN_DUMP_DIR=%t.dir %kiln run %s / --no-kernel --arg 1 --arg 2 | %filecheck %s --check-prefix=HALF
# HALF: 0.5
# RUN: ls %t.dir | %filecheck %s --check-prefix=NATIVE
# NATIVE: _.{{[0-9a-f]+}}.s
# NATIVE: kernel.{{[0-9a-f]+}}.s
#
# Where nothing can be written the job goes on, with one warning.
# RUN: env KILN_DUMP_DIR=/dev/null/x %kiln compile %s 'kernel(CuDeviceVector{Float32,1})' -o %t.s 2> %t.warned
# RUN: %filecheck %s --check-prefix=WARN < %t.warned
# WARN: warning: KILN_DUMP_DIR: cannot make /dev/null/x: Not a directory; nothing is dumped
# WARN-NOT: warning

using CUDA

function kernel(y)
    y[1] = 1f0
    return
end
