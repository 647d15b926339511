; A thread's random numbers go on from two words that the entry holds, zero at first; functions that draw get their
; address, directly or through a call. Others stay.
; RUN: %opt --rewrite "random state" %s | %filecheck %s --implicit-check-not=kiln.random_state
; RUN: sed '/call i32 @middle/d; s/i32 %r/i32 0/' %s | %opt --rewrite "random state" | %filecheck %s --check-prefix=POINTERLESS
; RUN: %status 1 %opt --rewrite "random state" %S/inputs/random_by_pointer.ll 2>&1 | %filecheck %s --check-prefix=POINTER
; POINTER: KernelError[120]: the function `draws` draws random numbers, so it cannot be used as a pointer

; CHECK: define void @kernel(i32 %a)
; CHECK-NEXT: %random = alloca [2 x i32], align 8
; CHECK-NEXT: store [2 x i32] zeroinitializer, ptr %random, align 8
; CHECK-NEXT: %r = call i32 @middle(ptr %random, i32 %a)
; CHECK-NEXT: call void @plain(i32 %r)
; The kernel that calls none of those that draw has no such variable.
; POINTERLESS: define void @kernel(i32 %a)
; POINTERLESS-NEXT: call void @plain(i32 0)
define void @kernel(i32 %a) "kiln.entry" "kiln.kernel" {
  %r = call i32 @middle(i32 %a)
  call void @plain(i32 %r)
  ret void
}
; CHECK: define internal i32 @middle(ptr %random, i32 %a)
; CHECK-NEXT: %d = call i32 @draws(ptr %random)
define internal i32 @middle(i32 %a) {
  %d = call i32 @draws()
  ret i32 %d
}
; CHECK: define internal i32 @draws(ptr %random)
; CHECK-NEXT: %word = load i32, ptr %random
define internal i32 @draws() {
  %state = call ptr @kiln.random_state()
  %word = load i32, ptr %state
  ret i32 %word
}
; CHECK: define internal void @plain(i32 %a)
define internal void @plain(i32 %a) {
  ret void
}
declare ptr @kiln.random_state()
