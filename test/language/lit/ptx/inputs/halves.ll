; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions of a user's library: one with a callee and a table of its own, one that needs another file, one that nothing
; calls, and a variable that the host sets.
source_filename = "halves"

@factors = private unnamed_addr constant [2 x float] [float 5.0e-01, float 2.0e+00]
@host_sets = addrspace(1) externally_initialized global i32 7

define internal float @scaled(float %x) noinline {
  %factor = load float, ptr @factors
  %y = fmul float %x, %factor
  ret float %y
}

define float @half_of(float %x) #0 {
  %y = call float @scaled(float %x)
  ret float %y
}

declare float @tripled(float)

define float @tripled_and_one(float %x) {
  %y = call float @tripled(float %x)
  %z = fadd float %y, 1.0
  ret float %z
}

define i32 @setting() {
  %y = load i32, ptr addrspace(1) @host_sets
  ret i32 %y
}

define float @nobody_calls(float %x) {
  ret float 7.7e+01
}

attributes #0 = { "target-cpu"="sm_30" "target-features"="+ptx32" }
