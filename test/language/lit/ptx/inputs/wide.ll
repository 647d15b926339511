; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Operations that LLVM knows only as calls of its run-time library.
source_filename = "wide"

define double @wide_to_double(i64 %x) {
  %wide = sext i64 %x to i128
  %square = mul i128 %wide, %wide
  %y = sitofp i128 %square to double
  ret double %y
}

define i64 @double_to_wide(double %x) {
  %wide = fptoui double %x to i128
  %high = lshr i128 %wide, 64
  %y = trunc i128 %high to i64
  ret i64 %y
}

define double @quadruple(double %x) {
  %wide = fpext double %x to fp128
  %product = fmul fp128 %wide, %wide
  %y = fptrunc fp128 %product to double
  ret double %y
}

; Memory of 16 bytes: LLVM would call __atomic_fetch_add_16 and __atomic_load_16.
define i64 @atomic_wide(ptr addrspace(1) %p, double %x) {
  %a = atomicrmw add ptr addrspace(1) %p, i128 1 seq_cst
  %b = load atomic i128, ptr addrspace(1) %p seq_cst, align 16
  %c = call i128 @llvm.fptosi.sat.i128.f64(double %x)
  %d = add i128 %a, %b
  %e = add i128 %c, %d
  %t = trunc i128 %e to i64
  ret i64 %t
}
declare i128 @llvm.fptosi.sat.i128.f64(double)
