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
#
# Who says where the toolkit is means it.
# RUN: env KILN_CUDA_HOME=%t.nowhere %kiln doctor | %filecheck %s --check-prefix=NOWHERE
# NOWHERE: libdevice: not found (looked in {{.*}}.nowhere)
# NOWHERE: ptxas: not found (looked in {{.*}}.nowhere)
#
# RUN: %kiln --version | %filecheck %s --check-prefix=VERSION
# VERSION: kiln {{[0-9.]+}} (LLVM 22.{{.*}})
# RUN: %kiln --help | %filecheck %s --check-prefix=HELP
# HELP: compile
# HELP: run
# HELP: doctor
# RUN: %kiln run --help | %filecheck %s --check-prefix=RUNHELP
# RUNHELP: --arg EXPR
