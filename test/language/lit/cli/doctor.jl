# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN: %kiln doctor | %filecheck %s
# CHECK: Kiln: {{[0-9]+\.[0-9]+\.[0-9]+}}
# CHECK: LLVM: 22.{{[0-9.]+}} (linked in)
# CHECK: targets: native, ptx
# CHECK: CPU: {{[a-z0-9-]+}}
# CHECK: libdevice: {{.*}} ({{found by|looked in}} {{.*}})
# CHECK: ptxas: {{.*}} ({{found by|looked in}} {{.*}})
# CHECK: nvJitLink: {{.*}} ({{found by|looked in}} {{.*}})
# CHECK: cuBLAS: {{.*}} ({{found by|looked in}} {{.*}})
# CHECK: CUDA driver: {{.*}}
# CHECK: GPU
# CHECK: cache: in memory only
# CHECK: This machine can:
# CHECK-NEXT: compile and run on the CPU: yes
# CHECK-NEXT: run programs
# CHECK-NEXT: compile PTX: yes
# CHECK: keep compiled code on disk: no: KILN_CACHE_DIR is empty, or there is no home folder
# CHECK-NEXT: name a folder in KILN_CACHE_DIR
#
# A cache folder that does not exist yet is tested by its nearest parent. The test leaves nothing.
# RUN: env KILN_CACHE_DIR=/proc/nope/x %kiln doctor | %filecheck %s --check-prefix=NOFOLDER
# NOFOLDER: cache: /proc/nope/x (/proc cannot be written to: {{.+}})
# NOFOLDER: keep compiled code on disk: no: /proc cannot be written to: {{.+}}
# NOFOLDER-NEXT: name another folder in KILN_CACHE_DIR
# RUN: rm -rf %t.parent && mkdir %t.parent
# RUN: env KILN_CACHE_DIR=%t.parent/a/b %kiln doctor | %filecheck %s --check-prefix=NEWFOLDER
# RUN: rmdir %t.parent
# NEWFOLDER: cache: {{.*}}.parent/a/b (made when something is first kept)
# NEWFOLDER: keep compiled code on disk: yes
#
# Who says where the toolkit is means it.
# RUN: env KILN_CUDA_HOME=%t.nowhere %kiln doctor | %filecheck %s --check-prefix=NOWHERE
# NOWHERE: libdevice: not found (looked in {{.*}}.nowhere)
# NOWHERE: ptxas: not found (looked in {{.*}}.nowhere)
# NOWHERE: compile calls of sin, exp and others for GPUs: no: there is no libdevice
# NOWHERE-NEXT: install NVIDIA's CUDA toolkit {{.*}} or name its folder in KILN_CUDA_HOME
# NOWHERE: assemble cubins: no: {{.+}}
# NOWHERE-NEXT: install
# RUN: env KILN_CUDA_DRIVER=/nowhere/libcuda.so %kiln doctor | %filecheck %s --check-prefix=NOGPU
# NOGPU: run on a GPU: no: {{.+}}
# NOGPU-NEXT: install NVIDIA's driver, or name its library in KILN_CUDA_DRIVER
# RUN: env KILN_OPENCL_DRIVER=/nowhere/libOpenCL.so %kiln doctor | %filecheck %s --check-prefix=NOOPENCL
# NOOPENCL: OpenCL devices: none that can be used (no OpenCL: /nowhere/libOpenCL.so, which KILN_OPENCL_DRIVER names, cannot be opened)
# NOOPENCL: run on OpenCL: no: no OpenCL: /nowhere/libOpenCL.so, which KILN_OPENCL_DRIVER names, cannot be opened
# NOOPENCL-NEXT: install the loader
#
# RUN: %kiln --version | %filecheck %s --check-prefix=VERSION
# VERSION: kiln {{[0-9.]+}} (LLVM 22.{{.*}})
# RUN: %kiln --help | %filecheck %s --check-prefix=HELP
# HELP: compile
# HELP: run
# HELP: doctor
# RUN: %kiln run --help | %filecheck %s --check-prefix=RUNHELP
# RUNHELP: --arg EXPR
