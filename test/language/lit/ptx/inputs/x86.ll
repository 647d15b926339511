; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
target triple = "x86_64-pc-linux-gnu"

define float @tripled_and_one(float %x) {
  ret float %x
}
