; kiln-opt itself: the rewrites that there are, several in the order given, and what is wrong with its input.
; RUN: %opt --list | %filecheck %s --check-prefixes=LIST,CPU
; RUN: %opt --list --target ptx | %filecheck %s --check-prefixes=LIST,GPU
; CPU: emitted: recursion
; LIST: emitted: indirect calls
; LIST-NEXT: emitted: throw
; LIST-NEXT: emitted: debug level
; LIST-NEXT: linked: internalize
; LIST-NEXT: linked: random state
; LIST-NEXT: linked: kernel state
; LIST-NEXT: linked: packed entry
; LIST-NEXT: linked: fast math
; CPU-NEXT: linked: math calls
; CPU-NEXT: linked: native grid
; GPU-NEXT: linked: markers
; GPU-NEXT: linked: reflect

; A throw needs the state, which the second rewrite then passes in.
; RUN: %opt --rewrite throw --rewrite "kernel state" %s | %filecheck %s
; CHECK: define void @f(ptr {{.*}}%state, i32 %thread.x, i32 %thread.y, i32 %thread.z)
; CHECK-NEXT: call void @kiln_report_exception(ptr %state, i32 %thread.x, i32 %thread.y, i32 %thread.z, i32 1, ptr null, ptr null)

; RUN: %status 2 %opt %s 2>&1 | %filecheck %s --check-prefix=NONE
; NONE: usage error[200]: name a rewrite: --rewrite NAME (--list tells which there are), --finish or --asm
; RUN: %status 2 %opt --rewrite reflect %s 2>&1 | %filecheck %s --check-prefix=UNKNOWN
; UNKNOWN: usage error[200]: the native target has no rewrite `reflect`: there are recursion, {{.*}}, native grid
; RUN: %status 2 %opt --rewrite throw --target nvptx %s 2>&1 | %filecheck %s --check-prefix=TARGET
; TARGET: usage error[200]: there is no target `nvptx`
; RUN: %status 2 %opt --rewrite throw --arch sm_90 %s 2>&1 | %filecheck %s --check-prefix=ARCH
; ARCH: usage error[200]: --arch sm_90 is not for --target native
; RUN: %status 2 %opt --rewrite throw --target ptx --arch sm_9x %s 2>&1 | %filecheck %s --check-prefix=NUMBER
; NUMBER: usage error[200]: --arch takes sm_<number>, not `sm_9x`
; RUN: %status 2 %opt --rewrite throw --no-such-option %s 2>&1 | %filecheck %s --check-prefix=OPTION
; OPTION: usage error[200]: {{.*}}--no-such-option
; RUN: %status 1 %opt --rewrite throw %S/nowhere.ll 2>&1 | %filecheck %s --check-prefix=FILE
; FILE: error[100]: {{.*}}nowhere.ll
; RUN: %status 1 %opt --rewrite throw %S/inputs/syntax.ll 2>&1 | %filecheck %s --check-prefix=SYNTAX
; SYNTAX: syntax error[101]: {{.*}}syntax.ll:3:{{[0-9]+}}: expected instruction opcode
; RUN: %status 1 %opt --rewrite throw %S/inputs/broken.ll 2>&1 | %filecheck %s --check-prefix=BROKEN
; BROKEN: error[100]: {{.*}}broken.ll is no valid IR: {{.*}}

define void @f() "kiln.entry" "kiln.kernel" {
  call void @kiln.throw(i32 1, ptr null, ptr null)
  unreachable
}
declare void @kiln.throw(i32, ptr, ptr)
