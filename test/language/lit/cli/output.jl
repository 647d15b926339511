# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Results go to a file whole or not at all; what cannot be written is found before anything is compiled.
#
# RUN: %kiln compile %s 'f(Int64)' --emit lowered -o %t.lowered
# RUN: %filecheck %s < %t.lowered
# CHECK: return
#
# RUN: %status 1 %kiln compile %s 'nothing_of_this_name(Int64)' -o %t.missing/f.s 2>&1 | %filecheck %s --check-prefix=FOLDER
# FOLDER: error[100]: cannot write {{.*}}.missing/f.s: No such file or directory
# FOLDER-NOT: nothing_of_this_name
# RUN: %status 1 %kiln run %s f --no-kernel --arg 1 --arg 'zeros(Int64, 1)' --out 2=%S 2>&1 | %filecheck %s --check-prefix=DIRECTORY
# DIRECTORY: error[100]: cannot write {{.*}}: it is a directory
#
# A failed compile leaves no file.
# RUN: rm -f %t.s
# RUN: %status 1 %kiln compile %s 'f(Int64, Int64)' -o %t.s 2>/dev/null
# RUN: %status 1 test -e %t.s
#
# Timings go to standard error, the artifact to standard output.
# RUN: %kiln compile %s 'f(Int64)' --emit typed --timings 2>/dev/null | %filecheck %s --check-prefix=PLAIN
# PLAIN-NOT: front-end
# RUN: %kiln compile %s 'f(Int64)' --timings -o %t.s 2>&1 | %filecheck %s --check-prefix=TABLE
# TABLE: front-end
# TABLE: untimed
# RUN: %kiln compile %s 'f(Int64)' --timings=trace:%t.trace -o %t.s
# RUN: %filecheck %s --check-prefix=TRACE < %t.trace
# TRACE: front-end

# warntype is typed code in which values of non-concrete type are red, in a file too.
# RUN: %kiln compile %s 'unstable(Bool)' --emit warntype -o %t.txt && %filecheck %s --check-prefix=RED < %t.txt
# RUN: %kiln compile %s 'unstable(Bool)' --emit typed -o %t.txt && %filecheck %s --check-prefix=UNPAINTED < %t.txt
# RED: {{.}}[91mUnion{
# UNPAINTED-NOT: {{.}}[91m
# UNPAINTED: ::Union{

f(x) = x + 1
unstable(b) = b ? 1 : 2.0
