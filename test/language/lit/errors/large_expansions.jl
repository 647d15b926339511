# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Macros whose expansions grow without end are errors that name the limit and the macro, in little time and memory.
# REQUIRES: programs
# RUN: %status 1 %kiln compile %S/inputs/macro_doubling.jl 'f(Int64)' --no-kernel --no-cache 2>&1 | %filecheck %s --check-prefix=DOUBLING
# DOUBLING: macro_doubling.jl:2:{{[0-9]+}}: {{.*}}macro @b expands to more than 400000 nodes of syntax, those of macros inside it included
# RUN: %status 1 %kiln script --device cpu %S/inputs/macro_script.jl 2>&1 | %filecheck %s --check-prefix=SCRIPT
# SCRIPT: macro @b expands to more than 400000 nodes of syntax, those of macros inside it included
# RUN: %status 1 %kiln compile %S/inputs/macro_shared.jl 'f(Int64)' --no-kernel --no-cache 2>&1 | %filecheck %s --check-prefix=SHARED
# SHARED: macro @s: an Expr of more than 400000 nodes
# RUN: %status 1 %kiln compile %S/inputs/macro_levels.jl 'f(Int64)' --no-kernel --no-cache 2>&1 | %filecheck %s --check-prefix=LEVELS
# LEVELS: macro @m expands without end: more than 100 macros inside each other
# RUN: %status 1 %kiln script --device cpu %S/inputs/macro_definitions.jl 2>&1 | %filecheck %s --check-prefix=LEVELS
# RUN: %status 1 %kiln script --device cpu %S/inputs/macro_itself.jl 2>&1 | %filecheck %s --check-prefix=ITSELF
# ITSELF: StackOverflowError
#
# What a macro evaluates is defined once, and the macro's value is its own.
# RUN: %kiln script --device cpu %S/inputs/macro_import.jl 2>&1 | %filecheck %s --check-prefix=IMPORT
# IMPORT: 1
# IMPORT-NEXT: 6
# IMPORT-NEXT: 7
# RUN: %kiln compile %S/inputs/macro_file.jl 'f(Int64)' --no-kernel --no-cache -o %t.ll --emit llvm
