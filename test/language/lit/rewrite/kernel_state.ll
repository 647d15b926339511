; On the CPU the state and the thread's index become parameters of the kernel and of whatever needs them, directly or
; through a call; what needs neither stays as it is. The facts of the block are loads that nothing changes.
; RUN: %opt --rewrite "kernel state" %s | %filecheck %s --implicit-check-not=kiln.thread_idx --implicit-check-not=@kiln.state
; RUN: %status 1 %opt --rewrite "kernel state" %S/inputs/state_by_pointer.ll 2>&1 | %filecheck %s --check-prefix=POINTER
; POINTER: KernelError[120]: the function `asks` needs the kernel state (it may throw, or asks for its index), so it cannot be used as a pointer

; CHECK: define void @kernel(ptr noundef nonnull align 8 dereferenceable(112) %state, i32 %thread.x, i32 %thread.y, i32 %thread.z, ptr %p) #[[ENTRY:[0-9]+]]
; CHECK-NEXT: store ptr @plain, ptr %p
; CHECK-NEXT: %r = call i32 @middle(ptr %state, i32 %thread.x, i32 %thread.y, i32 %thread.z)
; CHECK-NEXT: call void @plain(i32 %r)
define void @kernel(ptr %p) "kiln.entry" "kiln.kernel" {
  store ptr @plain, ptr %p
  %r = call i32 @middle()
  call void @plain(i32 %r)
  ret void
}
; CHECK: define internal i32 @middle(ptr noundef nonnull align 8 dereferenceable(112) %state, i32 %thread.x, i32 %thread.y, i32 %thread.z)
; CHECK-NEXT: %r = call i32 @asks(ptr %state, i32 %thread.x, i32 %thread.y, i32 %thread.z)
define internal i32 @middle() {
  %r = call i32 @asks()
  ret i32 %r
}
; NativeThread::block is at 12, its z at 20. It is loaded once.
; CHECK: define internal i32 @asks(ptr {{.*}}%state, i32 %thread.x, i32 %thread.y, i32 %thread.z)
; CHECK-NEXT: [[AT:%[0-9]+]] = getelementptr inbounds i8, ptr %state, i64 20
; CHECK-NEXT: %block_idx.z = load i32, ptr [[AT]], align 4, !invariant.load
; CHECK-NEXT: %a = add i32 %thread.y, %block_idx.z
; CHECK-NEXT: %b = add i32 %a, %block_idx.z
; CHECK-NEXT: %s = ptrtoint ptr %state to i32
define internal i32 @asks() {
  %y = call i32 @kiln.thread_idx.y()
  %z = call i32 @kiln.block_idx.z()
  %a = add i32 %y, %z
  %again = call i32 @kiln.block_idx.z()
  %b = add i32 %a, %again
  %own = call ptr @kiln.state()
  %s = ptrtoint ptr %own to i32
  %r = add i32 %b, %s
  ret i32 %r
}
; CHECK: define internal void @plain(i32 %a) {
define internal void @plain(i32 %a) {
  ret void
}
declare i32 @kiln.thread_idx.y()
declare i32 @kiln.block_idx.z()
declare ptr @kiln.state()
; CHECK: attributes #[[ENTRY]] = { "kiln.entry" "kiln.kernel" "kiln.state" }
