; Operations of linked code for which LLVM would call a run-time library become markers that validation reports, each with
; what it is; what the back-end has code for stays.
; RUN: %opt --rewrite "unsupported operations" --target ptx %s | %filecheck %s

; CHECK-DAG: [[WIDE:@[0-9]+]] = {{.*}} c"unsupported conversion on ptx: fptosi from 64 to 128 bits\00"
; CHECK-DAG: [[QUAD:@[0-9]+]] = {{.*}} c"unsupported operation on ptx: fadd of floats of 128 bits\00"
; CHECK-DAG: [[ATOMIC:@[0-9]+]] = {{.*}} c"unsupported operation on ptx: atomicrmw of 128 bits, for which the linked code needs a run-time library that no GPU has: at most 64 bits are atomic\00"

; CHECK: define void @f(
; CHECK-NEXT: call void @kiln.static_error(ptr [[WIDE]])
; CHECK-NEXT: store i128 poison, ptr %p
; CHECK-NEXT: call void @kiln.static_error(ptr [[QUAD]])
; CHECK-NEXT: store fp128 poison, ptr %p
; CHECK-NEXT: call void @kiln.static_error(ptr [[ATOMIC]])
; CHECK-NEXT: %narrow = fptosi double %x to i64
; CHECK-NEXT: %sum = add i128 %n, %n
; CHECK-NEXT: %old = atomicrmw add ptr %p, i64 %narrow monotonic
; CHECK-NEXT: store i128 %sum, ptr %p
; CHECK-NEXT: ret void
define void @f(ptr %p, double %x, fp128 %q, i128 %n) "kiln.entry" {
  %wide = fptosi double %x to i128
  store i128 %wide, ptr %p
  %quad = fadd fp128 %q, %q
  store fp128 %quad, ptr %p
  %atomic = atomicrmw add ptr %p, i128 %n monotonic
  %narrow = fptosi double %x to i64
  %sum = add i128 %n, %n
  %old = atomicrmw add ptr %p, i64 %narrow monotonic
  store i128 %sum, ptr %p
  ret void
}
