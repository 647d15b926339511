; The packed ABI: arguments through an array of pointers, the result to memory. The body is inlined into the wrapper, which
; takes over its name. On the CPU the wrapper takes the state whether the body does or not.
; RUN: %opt --rewrite "packed entry" --no-kernel --packed %s | %filecheck %s --check-prefixes=CHECK,CPU
; RUN: %opt --rewrite "packed entry" --no-kernel --packed --target ptx %s | %filecheck %s --check-prefixes=CHECK,GPU
;
; A body that takes the state passes the wrapper's on: it is no entry of the array.
; RUN: sed 's/@f(i32 %n/@f(ptr %%state, i32 %n/; s/"kiln.entry"/"kiln.entry" "kiln.state"/' %s | %opt --rewrite "packed entry" --no-kernel --packed --target ptx | %filecheck %s --check-prefix=STATE
;
; Nothing is done for another ABI, or for a kernel.
; RUN: %opt --rewrite "packed entry" --no-kernel %s | %filecheck %s --check-prefix=SAME --implicit-check-not=body
; RUN: sed 's/"kiln.entry"/"kiln.entry" "kiln.kernel"/' %s | %opt --rewrite "packed entry" --packed | %filecheck %s --check-prefix=SAME --implicit-check-not=body
; SAME: define double @f(i32 %n, ptr byval([2 x i64]) %pair, double %x)

; CHECK: define internal double @f.body(i32 %n, ptr byval([2 x i64]) %pair, double %x) #[[BODY:[0-9]+]]
define double @f(i32 %n, ptr byval([2 x i64]) %pair, double %x) "kiln.entry" "target-cpu"="x" {
  ret double %x
}

; What is passed by reference is not loaded: the array's entry is its address.
; CPU: define void @f(ptr %state, ptr %args, ptr %ret) #[[WRAPPER:[0-9]+]]
; GPU: define void @f(ptr %args, ptr %ret) #[[WRAPPER:[0-9]+]]
; CHECK: [[S0:%[0-9]+]] = getelementptr inbounds ptr, ptr %args, i64 0
; CHECK-NEXT: [[P0:%[0-9]+]] = load ptr, ptr [[S0]]
; CHECK-NEXT: %n = load i32, ptr [[P0]]
; CHECK-NEXT: [[S1:%[0-9]+]] = getelementptr inbounds ptr, ptr %args, i64 1
; CHECK-NEXT: [[P1:%[0-9]+]] = load ptr, ptr [[S1]]
; CHECK-NEXT: [[S2:%[0-9]+]] = getelementptr inbounds ptr, ptr %args, i64 2
; CHECK-NEXT: [[P2:%[0-9]+]] = load ptr, ptr [[S2]]
; CHECK-NEXT: %x = load double, ptr [[P2]]
; CHECK-NEXT: [[R:%[0-9]+]] = call double @f.body(i32 %n, ptr [[P1]], double %x)
; CHECK-NEXT: store double [[R]], ptr %ret
; CHECK-NEXT: ret void
; CHECK: attributes #[[BODY]] = { alwaysinline "target-cpu"="x" }
; CPU: attributes #[[WRAPPER]] = { "kiln.entry" "kiln.state" "target-cpu"="x" }
; GPU: attributes #[[WRAPPER]] = { "kiln.entry" "target-cpu"="x" }

; STATE: define void @f(ptr %state, ptr %args, ptr %ret)
; STATE: getelementptr inbounds ptr, ptr %args, i64 0
; STATE: %n = load i32
; STATE: call double @f.body(ptr %state, i32 %n,
