; Shared arrays are places in the block's memory, to which NativeThread::shared (at 48) leads: the defined ones in order, each
; at its alignment, then, at a multiple of 16, the launch's dynamic memory. The entry tells how much the static ones take.
; RUN: %opt --rewrite "shared memory" %s | %filecheck %s --implicit-check-not="addrspace(3) global"

; 3 bytes from 0; 5 floats from 16, the next multiple of 16 behind 3, up to 36; dynamic memory from 48.
@bytes = internal addrspace(3) global [3 x i8] undef, align 1
@floats = internal addrspace(3) global [5 x float] undef, align 16
@dynamic = external addrspace(3) global [0 x i8], align 1
@other = internal global i32 0

; The base is loaded once a function.
; CHECK: define void @kernel() #[[ENTRY:[0-9]+]]
; CHECK-NEXT: [[STATE:%[0-9]+]] = call ptr @kiln.state()
; CHECK-NEXT: [[AT:%[0-9]+]] = getelementptr inbounds i8, ptr [[STATE]], i64 48
; CHECK-NEXT: %shared = load ptr, ptr [[AT]], align 8, !invariant.load
; CHECK-DAG: [[B:%[0-9]+]] = getelementptr inbounds i8, ptr %shared, i64 0
; CHECK-DAG: [[BYTES:%[0-9]+]] = addrspacecast ptr [[B]] to ptr addrspace(3)
; CHECK-DAG: [[F:%[0-9]+]] = getelementptr inbounds i8, ptr %shared, i64 16
; CHECK-DAG: [[FLOATS:%[0-9]+]] = addrspacecast ptr [[F]] to ptr addrspace(3)
; CHECK-DAG: [[D:%[0-9]+]] = getelementptr inbounds i8, ptr %shared, i64 48
; CHECK-DAG: [[DYNAMIC:%[0-9]+]] = addrspacecast ptr [[D]] to ptr addrspace(3)
; CHECK: store i8 1, ptr addrspace(3) [[BYTES]]
; CHECK: [[THIRD:%[0-9]+]] = getelementptr [5 x float], ptr addrspace(3) [[FLOATS]], i64 0, i64 3
; CHECK-NEXT: store float 2.000000e+00, ptr addrspace(3) [[THIRD]]
; CHECK: store i8 3, ptr addrspace(3) [[DYNAMIC]]
; CHECK: store i32 4, ptr @other
; CHECK-NOT: call ptr @kiln.state
define void @kernel() "kiln.entry" "kiln.kernel" {
  store i8 1, ptr addrspace(3) @bytes
  store float 2.0, ptr addrspace(3) getelementptr ([5 x float], ptr addrspace(3) @floats, i64 0, i64 3)
  store i8 3, ptr addrspace(3) @dynamic
  store i32 4, ptr @other
  ret void
}
; CHECK: attributes #[[ENTRY]] = { "kiln.entry" "kiln.kernel" "kiln.shared_bytes"="36" }
