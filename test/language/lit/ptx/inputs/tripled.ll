; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
source_filename = "tripled"

define float @tripled(float %x) {
  %y = fmul float %x, 3.0
  ret float %y
}
