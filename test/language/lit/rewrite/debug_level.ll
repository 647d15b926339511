; Library code asks for the job's debug level; the answer is a constant, so that what hangs on it folds.
; RUN: %opt --rewrite "debug level" -g 0 %s | %filecheck %s -DLEVEL=0
; RUN: %opt --rewrite "debug level" -g 2 %s | %filecheck %s -DLEVEL=2

; CHECK: define i1 @f()
; CHECK-NEXT: %more = icmp sgt i32 [[LEVEL]], 1
; CHECK-NEXT: %same = icmp eq i32 [[LEVEL]], [[LEVEL]]
; CHECK-NOT: call
define i1 @f() "kiln.entry" {
  %level = call i32 @kiln.debug_level()
  %more = icmp sgt i32 %level, 1
  %again = call i32 @kiln.debug_level()
  %same = icmp eq i32 %level, %again
  %both = and i1 %more, %same
  ret i1 %both
}
declare i32 @kiln.debug_level()
