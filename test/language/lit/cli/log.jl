# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The program says warnings on standard error, as KILN_LOG and -v let it, though the library of its own accord says nothing.
#
# RUN: env -u KILN_LOG %kiln compile %s 'f(Int64)' --no-kernel -o %t.s 2>&1 | %filecheck %s --check-prefix=WARNS
# RUN: env KILN_LOG=warning %kiln compile %s 'f(Int64)' --no-kernel -o %t.s 2>&1 | %filecheck %s --check-prefix=WARNS
# RUN: env KILN_LOG=error %kiln compile %s 'f(Int64)' --no-kernel -o %t.s 2>&1 | %filecheck %s --check-prefix=QUIET --allow-empty
# RUN: env KILN_LOG=error %kiln compile %s 'f(Int64)' --no-kernel -v -o %t.s 2>&1 | %filecheck %s --check-prefix=WARNS
# RUN: %status 2 env KILN_LOG=garbage %kiln compile %s 'f(Int64)' --no-kernel -o %t.s 2>&1 | %filecheck %s --check-prefix=REFUSED
#
# WARNS: kiln: warning: {{.*}}log.jl:[[@LINE+4]]:7: the package `NoSuchPackage` is not known
# QUIET-NOT: kiln:
# REFUSED: usage error[200]: the environment variable KILN_LOG takes error, warning, info or debug, not `garbage`

using NoSuchPackage
f(x) = x
