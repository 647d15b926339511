# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Debug levels: nothing at 0, lines at 1, variables and types at 2; --strip takes all away.
#
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1}, Float32)' --target ptx -g0 | %filecheck %s --check-prefix=NONE
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1}, Float32)' --target ptx -g2 --strip | %filecheck %s --check-prefix=NONE
# NONE-NOT: .loc
# NONE-NOT: .file
# NONE-NOT: .debug
# NONE: st.global
# NONE-NOT: .loc
# NONE-NOT: .file
# NONE-NOT: .debug_{{[a-z]}}
#
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1}, Float32)' --target ptx | %filecheck %s --check-prefix=LINES
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1}, Float32)' --target ptx -g1 | %filecheck %s --check-prefix=LINES
# The store is the library's, in setindex!; its line is that of the kernel that indexes.
# LINES-NOT: .debug_info
# LINES: .loc {{[0-9]+ [0-9]+}}
# LINES: .loc [[FILE:[0-9]+]] [[@LINE+22]]
# LINES-NEXT: st.global
# LINES: .file [[FILE]] "{{.*}}debug.jl"
# LINES-NOT: .file
# LINES-NOT: .debug_info
#
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1}, Float32)' --target ptx -g2 | %filecheck %s --check-prefix=FULL
# FULL: .loc {{[0-9]+ [0-9]+}}
# FULL: .file {{[0-9]+}} "{{.*}}debug.jl"
# FULL: .section .debug_info
#
# The same on the CPU, where levels 1 and 2 make DWARF sections.
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1}, Float32)' -g0 | %filecheck %s --check-prefix=NATIVE0
# NATIVE0-NOT: .loc
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1}, Float32)' -g2 | %filecheck %s --check-prefix=NATIVE2
# NATIVE2: .loc
# NATIVE2: .debug_info

using CUDA

function kernel(y, a)
    doubled = a + a
    @inbounds y[1] = doubled
    return
end
