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
