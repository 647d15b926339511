; A call of a pointer to code is a choice between the deferred functions of its type, in the module's order; a pointer that
; leads to none of them is an exception (kind 12, ErrorException). Without any of its type the call stays, for validation.
; RUN: %opt --rewrite "indirect calls" %s | %filecheck %s

; CHECK: define i32 @calls(ptr %p, i32 %a)
; CHECK-NEXT: [[IS_ONE:%[0-9]+]] = icmp eq ptr %p, @one
; CHECK-NEXT: br i1 [[IS_ONE]], label %[[ONE:[0-9]+]], label %[[NOT_ONE:[0-9]+]]
; CHECK: [[ONE]]:
; CHECK-NEXT: [[R1:%[0-9]+]] = call i32 @one(i32 %a)
; CHECK-NEXT: br label %[[TAIL:.*]]
; CHECK: [[NOT_ONE]]:
; CHECK-NEXT: [[IS_TWO:%[0-9]+]] = icmp eq ptr %p, @two
; CHECK-NEXT: br i1 [[IS_TWO]], label %[[TWO:[0-9]+]], label %[[NEITHER:[0-9]+]]
; CHECK: [[TWO]]:
; CHECK-NEXT: [[R2:%[0-9]+]] = call i32 @two(i32 %a)
; CHECK-NEXT: br label %[[TAIL]]
; CHECK: [[NEITHER]]:
; CHECK-NEXT: call void @kiln.throw(i32 12, ptr @kiln_text_pointer, ptr null)
; CHECK-NEXT: unreachable
; CHECK: [[TAIL]]:
; CHECK-NEXT: [[R:%[0-9]+]] = phi i32 [ [[R1]], %[[ONE]] ], [ [[R2]], %[[TWO]] ]
; CHECK-NEXT: %sum = add i32 [[R]], 1
define i32 @calls(ptr %p, i32 %a) "kiln.entry" {
  %r = call i32 %p(i32 %a) "kiln.deferred"
  %sum = add i32 %r, 1
  ret i32 %sum
}
; CHECK: define i8 @stays(ptr %p)
; CHECK-NEXT: %r = call i8 %p()
define i8 @stays(ptr %p) {
  %r = call i8 %p() "kiln.deferred"
  ret i8 %r
}
define internal i32 @one(i32 %a) "kiln.deferred" {
  ret i32 %a
}
define internal i32 @two(i32 %a) "kiln.deferred" {
  ret i32 2
}
; Of another type, and one that nobody has a pointer to.
define internal i32 @wide(i64 %a) "kiln.deferred" {
  ret i32 3
}
define internal i32 @not_deferred(i32 %a) {
  ret i32 4
}
