; A function that calls itself, directly or through others, looks first whether its frame is still above the lowest that its
; thread may have (abi::Unwinding::lowest_frame, behind NativeThread::abort_thread at 72); others do not.
; RUN: %opt --rewrite recursion %s | %filecheck %s

; CHECK: c"StackOverflowError: calls nest deeper than the stack
; CHECK: define void @kernel(i32 %n)
; CHECK-NEXT: call void @direct(i32 %n)
define void @kernel(i32 %n) "kiln.entry" "kiln.kernel" {
  call void @direct(i32 %n)
  call void @odd(i32 %n)
  ret void
}
; CHECK: define internal void @direct(i32 %n)
; CHECK-NEXT: [[STATE:%[0-9]+]] = call ptr @kiln.state()
; CHECK-NEXT: [[AT:%[0-9]+]] = getelementptr inbounds i8, ptr [[STATE]], i64 72
; CHECK-NEXT: [[POINT:%[0-9]+]] = load ptr, ptr [[AT]]
; CHECK-NEXT: [[LOWEST:%[0-9]+]] = getelementptr inbounds i8, ptr [[POINT]], i64 0
; CHECK-NEXT: [[LIMIT:%[0-9]+]] = load ptr, ptr [[LOWEST]]
; CHECK-NEXT: [[HERE:%[0-9]+]] = call ptr @llvm.frameaddress.p0(i32 0)
; CHECK-NEXT: [[OVER:%[0-9]+]] = icmp ult ptr [[HERE]], [[LIMIT]]
; CHECK-NEXT: br i1 [[OVER]], label %[[FULL:[0-9]+]], label %[[FITS:[0-9]+]]
; CHECK: [[FULL]]:
; CHECK-NEXT: call void @kiln.throw(i32 1, ptr @{{[0-9]+}}, ptr null)
; CHECK-NEXT: unreachable
; CHECK: [[FITS]]:
; CHECK-NEXT: call void @direct(i32 %n)
define internal void @direct(i32 %n) {
  call void @direct(i32 %n)
  ret void
}
; CHECK: define internal void @odd(i32 %n)
; CHECK: call ptr @llvm.frameaddress
define internal void @odd(i32 %n) {
  call void @even(i32 %n)
  ret void
}
; CHECK: define internal void @even(i32 %n)
; CHECK: call ptr @llvm.frameaddress
define internal void @even(i32 %n) {
  call void @odd(i32 %n)
  ret void
}
