; What launches leave possible in the special registers. A declaration that
; is no such register's stays as it is.
; RUN: %opt --rewrite "register ranges" --target ptx %s | %filecheck %s

define i32 @sum() "kiln.entry" {
  %a = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %e = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %f = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.clock()
  ret i32 %a
}

; CHECK: declare{{.*}} range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: declare{{.*}} range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
; CHECK: declare{{.*}} range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
; CHECK: declare{{.*}} range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK: declare{{.*}} range(i32 1, 65536) i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
; CHECK: declare{{.*}} range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
; CHECK: declare noundef i32 @llvm.nvvm.read.ptx.sreg.clock()
declare i32 @llvm.nvvm.read.ptx.sreg.clock()
