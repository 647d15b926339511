# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Ctrl-C ends a script with status 130, and at the prompt the statement alone.
#
# RUN: not timeout --foreground --preserve-status -s INT 3 %kiln script %s 2>&1 | %filecheck %s
# RUN: sh -c 'timeout --foreground --preserve-status -s INT 3 %kiln script %s >%t 2>&1; echo status $?' | %filecheck %s --check-prefix=STATUS
# RUN: printf 'x = 20\nwhile true end\nprintln(x + 1)\n' | timeout --foreground --preserve-status -s INT 3 %kiln repl 2>&1 | %filecheck %s --check-prefix=PROMPT
# RUN: sh -c 'timeout --foreground --preserve-status -s INT 3 %kiln script %S/inputs/catches_interrupt.jl; echo status $?' | %filecheck %s --check-prefix=CAUGHT
# RUN: sh -c '%kiln script %S/inputs/catches_interrupt.jl >%t & sleep 2; kill -INT $!; sleep 1; kill -INT $!; wait $!; echo status $? >>%t'; %filecheck %s --check-prefix=TWICE --input-file %t
# CAUGHT: caught InterruptException true
# CAUGHT-NEXT: cleaned
# TWICE: caught InterruptException true
# TWICE-NEXT: cleaned
# TWICE-NEXT: again
# TWICE-NEXT: status 0
# CHECK: begun
# CHECK-NEXT: ERROR: LoadError: InterruptException:
# STATUS: status 130
# PROMPT: 20
# PROMPT-NEXT: ERROR: InterruptException:
# PROMPT: 21
println("begun")
n = 0
while true
    global n += 1
end
