# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The prompt on a pipe whose input ends inside a statement: the statement is a syntax error, as in a file.
#
# RUN: printf 'println(1)\nfunction f(x)\n  x +\n' | %kiln repl --device cpu 2>&1 | %filecheck %s
# CHECK: 1
# CHECK: REPL[2]:2:5: syntax error[101]: `+` has no right operand
#
# Blank lines at the end are no statement.
# RUN: printf 'println(2)\n\n  \n' | %kiln repl --device cpu 2>&1 | %filecheck %s --check-prefix=BLANK --match-full-lines
#      BLANK: 2
# BLANK-NOT: {{.}}
