# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What is missing on the machine ends with status 3.
#
# RUN: %status 3 %kiln run %s k --device cuda:99 2>&1 | %filecheck %s
# CHECK: error[300]: there is no {{CUDA driver: libcuda.so.1|GPU 99: the driver sees}}
#
# RUN: env KILN_CUDA_HOME=/nowhere %status 3 %kiln compile %s 'k()' --target ptx --emit cubin -o %t.cubin 2>&1 | %filecheck %s --check-prefix=ASSEMBLER
# ASSEMBLER: error[300]: there is no assembler for PTX: neither libnvJitLink nor ptxas in /nowhere
# ASSEMBLER: hint: install NVIDIA's CUDA toolkit
#
# RUN: %status 3 %kiln compile %s 'f(Int64)' -o /dev/full 2>&1 | %filecheck %s --check-prefix=FULL
# FULL: /dev/full: No space left on device

f(x) = x
k() = nothing
