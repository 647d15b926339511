# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The DWARF of an object at debug level 2: local variables with name, line, type and a place.
#
# REQUIRES: dwarfdump
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1}, Int64)' --kernel -g2 -O0 --emit obj -o %t.0.o
# RUN: %dwarfdump --verify %t.0.o
# RUN: %dwarfdump --debug-info %t.0.o | %filecheck %s --check-prefix=MEMORY
# MEMORY: DW_TAG_variable
# MEMORY-NEXT: DW_AT_name ("doubled")
# MEMORY-NEXT: DW_AT_decl_file {{.*}}variables.jl
# MEMORY-NEXT: DW_AT_decl_line (34)
# MEMORY-NEXT: DW_AT_type ({{.*}} "Float32")
# MEMORY: DW_AT_name ("sum")
# MEMORY: DW_AT_decl_line (35)
# MEMORY-NEXT: DW_AT_type ({{.*}} "Float32")
# MEMORY: DW_AT_name ("i")
# MEMORY: DW_AT_decl_line (36)
# MEMORY-NEXT: DW_AT_type ({{.*}} "Int64")
# RUN: %dwarfdump --debug-info %t.0.o | grep -B1 'abstract_origin.*"doubled"' | %filecheck %s --check-prefix=PLACE
# PLACE: DW_AT_location (DW_OP_fbreg
# PLACE-NEXT: DW_AT_abstract_origin ({{.*}} "doubled")
#
# Optimised: those whose values LLVM keeps.
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1}, Int64)' --kernel -g2 -O2 --emit obj -o %t.2.o
# RUN: %dwarfdump --verify %t.2.o
# RUN: %dwarfdump --debug-info %t.2.o | %filecheck %s --check-prefix=KEPT
# KEPT: DW_AT_location
# KEPT: DW_AT_abstract_origin ({{.*}} "doubled")

using CUDA

function kernel(y, n)
    doubled = y[1] * 2f0
    sum = 0f0
    for i in 1:n
        sum += y[i] + doubled
    end
    y[1] = sum
    return
end
