; At -O1 and above, LLVM 22.1.8's loop strength reduction writes the bound of this loop as zext(trunc(%x) to i3). The back-end masks
; it with 255 in place of 7, so that threads from the eighth on loop too often. Kiln generates code without that pass.
; RUN: %opt --target spirv --finish --asm %s | %filecheck %s
; CHECK: [[SEVEN:%[^ ]+]] = OpConstant %{{[^ ]+}} 7
; CHECK-NOT: 255
; CHECK: OpBitwiseAnd %{{[^ ]+}} %{{[^ ]+}} [[SEVEN]]
declare spir_func i64 @_Z12get_local_idj(i32) #0
define spir_kernel void @k(ptr addrspace(1) %o) "kiln.entry" {
entry:
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %o, i64 %x
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %v = phi i32 [ 16, %entry ], [ %twice, %loop ]
  %twice = shl i32 %v, 1
  %limit = and i64 %x, 7
  %last = icmp eq i64 %i, %limit
  %next = add nuw nsw i64 %i, 1
  br i1 %last, label %end, label %loop
end:
  store i32 %twice, ptr addrspace(1) %p, align 4
  ret void
}
attributes #0 = { nounwind willreturn memory(none) }
