; On a GPU the state is the record's address, by value: a kernel always takes it, a function where it needs it.
; RUN: %opt --rewrite "kernel state" --target ptx %s | %filecheck %s --implicit-check-not=@kiln.state
; RUN: sed 's/ "kiln.kernel"//; /@asks()/d' %s | %opt --rewrite "kernel state" --target ptx --no-kernel | %filecheck %s --check-prefix=PLAIN

; CHECK: define void @entry([1 x i64] %state, i32 %a) #[[ENTRY:[0-9]+]]
; CHECK-NEXT: call void @asks([1 x i64] %state)
; A plain function that needs no state has none.
; PLAIN: define void @entry(i32 %a) #
define void @entry(i32 %a) "kiln.entry" "kiln.kernel" {
  call void @asks()
  ret void
}
; CHECK: define internal void @asks([1 x i64] %state)
; CHECK-NEXT: [[WORD:%[0-9]+]] = extractvalue [1 x i64] %state, 0
; CHECK-NEXT: %record = inttoptr i64 [[WORD]] to ptr
; CHECK-NEXT: store i32 1, ptr %record
define internal void @asks() { %s = call ptr @kiln.state() store i32 1, ptr %s ret void }
declare ptr @kiln.state()
; CHECK: attributes #[[ENTRY]] = { "kiln.entry" "kiln.kernel" "kiln.state" }
