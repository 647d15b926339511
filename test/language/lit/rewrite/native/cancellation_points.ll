; In a job that can have a time limit, each round of a loop looks at the word that NativeThread::stop (at 96) leads to, says
; where the thread was when it finds it set, and ends the thread. Code without loops does not look, nor do other jobs.
; RUN: %opt --rewrite "cancellation points" --interruptible %s | %filecheck %s
; RUN: %opt --rewrite "cancellation points" %s | %filecheck %s --check-prefix=PLAIN --implicit-check-not=kiln

; CHECK: define void @kernel(i32 %n)
; CHECK-NEXT: entry:
; CHECK-NEXT: br label %loop
; CHECK: loop:
; CHECK-NEXT: %i = phi i32 [ 0, %entry ], [ %next, %[[REST:.*]] ]
; CHECK-NEXT: [[STATE:%[0-9]+]] = call ptr @kiln.state()
; CHECK-NEXT: [[AT:%[0-9]+]] = getelementptr inbounds i8, ptr [[STATE]], i64 96
; CHECK-NEXT: [[FLAG:%[0-9]+]] = load ptr, ptr [[AT]], align 8, !invariant.load
; CHECK-NEXT: [[STOP:%[0-9]+]] = load atomic i32, ptr [[FLAG]] monotonic, align 4
; CHECK-NEXT: [[OVER:%[0-9]+]] = icmp ne i32 [[STOP]], 0
; CHECK-NEXT: br i1 [[OVER]], label %[[ENDS:.*]], label %[[REST]]
; CHECK: [[ENDS]]:
; CHECK: call void @kiln_native_overdue(ptr [[STATE]], i32 {{%[0-9]+}}, ptr null)
; CHECK-NEXT: call void @kiln_end_thread()
; CHECK-NEXT: unreachable
; CHECK: [[REST]]:
; CHECK-NEXT: %next = add i32 %i, 1
; PLAIN: define void @kernel(i32 %n) #
define void @kernel(i32 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK: define internal i32 @straight(i32 %n)
; CHECK-NEXT: %r = add i32 %n, 1
; CHECK-NEXT: ret i32 %r
define internal i32 @straight(i32 %n) {
  %r = add i32 %n, 1
  ret i32 %r
}
; Its rounds are calls.
; CHECK: define internal void @recursive()
; CHECK-NEXT: [[AGAIN:%[0-9]+]] = call ptr @kiln.state()
; CHECK: call void @kiln_end_thread()
define internal void @recursive() {
  call void @recursive()
  ret void
}
attributes #0 = { "kiln.entry" "kiln.kernel" }
; PLAIN: attributes #0 = { "kiln.entry" "kiln.kernel" }
