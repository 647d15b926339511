# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A syntax error: file, line, column, the line itself, a caret under the place. Nothing of such a file is compiled.
#
# RUN: printf 'ok(x) = x\nf(x) = x $ 3\n' > %t.a.jl
# RUN: %status 1 %kiln compile %t.a.jl 'ok(Int64)' 2>&1 | %filecheck %s --check-prefix=TRAILING --match-full-lines --strict-whitespace
#      TRAILING:{{.*}}.a.jl:2:10: syntax error[101]: expected the end of the statement, found `$`
# TRAILING-NEXT:  2 | f(x) = x $ 3
# TRAILING-NEXT:    |          ^
#  TRAILING-NOT:{{.+}}
#
# Columns count characters, not bytes, and tabs stay tabs under a line.
# RUN: printf 'f(αβ) =\tαβ + )\n' > %t.b.jl
# RUN: %status 1 %kiln compile %t.b.jl 'f(Int64)' 2>&1 | %filecheck %s --check-prefix=CHARACTERS --match-full-lines --strict-whitespace
#      CHARACTERS:{{.*}}.b.jl:1:14: syntax error[101]: expected an expression, found `)`
# CHARACTERS-NEXT:  1 | f(αβ) =	αβ + )
# CHARACTERS-NEXT:    |        	     ^
#
# What is open at the end of the file is shown where it was opened.
# RUN: printf 'function f(x)\n    if x > 1\n        x\nend\n' > %t.c.jl
# RUN: %status 1 %kiln compile %t.c.jl 'f(Int64)' 2>&1 | %filecheck %s --check-prefix=OPEN
#      OPEN: .c.jl:4:4: syntax error[101]: expected `end` of `function`, found the end of the file
# OPEN-NEXT: 4 | end
# OPEN-NEXT:   |    ^
# OPEN-NEXT: .c.jl:1:1: note: `function` begins here
# OPEN-NEXT: 1 | function f(x)
# OPEN-NEXT:   | ^~~~~~~~
#
# RUN: printf 'f(x) = "abc\n' > %t.d.jl
# RUN: %status 1 %kiln compile %t.d.jl 'f(Int64)' 2>&1 | %filecheck %s --check-prefix=STRING
#      STRING: .d.jl:1:8: syntax error[101]: unterminated string
# STRING-NEXT: 1 | f(x) = "abc
# STRING-NEXT:   |        ^
#
# RUN: printf "f(x) = 'ab'\n" > %t.e.jl
# RUN: %status 1 %kiln compile %t.e.jl 'f(Int64)' 2>&1 | %filecheck %s --check-prefix=CHARACTER
# CHARACTER: .e.jl:1:8: syntax error[101]: a character literal holds one character
# CHARACTER: hint: strings are quoted with "
#
# RUN: printf 'f(x, x) = x\n' > %t.f.jl
# RUN: %status 1 %kiln compile %t.f.jl 'f(Int64, Int64)' 2>&1 | %filecheck %s --check-prefix=TWICE
# TWICE: .f.jl:1:6: syntax error[101]: the argument name `x` is not unique
#
# RUN: printf 'f(x) = 0x\n' > %t.g.jl
# RUN: %status 1 %kiln compile %t.g.jl 'f(Int64)' 2>&1 | %filecheck %s --check-prefix=HEX
# HEX: .g.jl:1:8: syntax error[101]: invalid numeric constant "0x"
#
# RUN: printf 'struct S\n    a::Int\n    a::Float32\nend\nf(x) = S(x, x).a\n' > %t.h.jl
# RUN: %status 1 %kiln compile %t.h.jl 'f(Int64)' 2>&1 | %filecheck %s --check-prefix=FIELD
# FIELD: .h.jl:3:5: syntax error[101]: duplicate field name: "a" is not unique
#
# Files that are included belong to the file, their faults too.
# RUN: printf 'g(x) = )\n' > %t.part.jl
# RUN: printf 'include("syntax.jl.tmp.part.jl")\nf(x) = x\n' > %t.i.jl
# RUN: %status 1 %kiln compile %t.i.jl 'f(Int64)' 2>&1 | %filecheck %s --check-prefix=PART
# PART: .part.jl:1:8: syntax error
#
# RUN: printf 'include("syntax.jl.tmp.j.jl")\nf(x) = x\n' > %t.j.jl
# RUN: %status 1 %kiln compile %t.j.jl 'f(Int64)' 2>&1 | %filecheck %s --check-prefix=CYCLE
# CYCLE: error[100]: files include each other without end
#
# Standard output stays empty.
# RUN: %status 1 %kiln compile %t.a.jl 'ok(Int64)' 2>/dev/null | %empty
