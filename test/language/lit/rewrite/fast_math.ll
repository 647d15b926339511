; Every floating-point operation may be relaxed, calls included; others stay. A GPU also flushes 32-bit denormals. A
; declaration has no code to relax. Without --fastmath nothing happens.
; RUN: %opt --rewrite "fast math" --fastmath %s | %filecheck %s --check-prefixes=CHECK,CPU --implicit-check-not=denormal
; RUN: %opt --rewrite "fast math" --fastmath --target ptx %s | %filecheck %s --check-prefixes=CHECK,GPU
; RUN: %opt --rewrite "fast math" < %s | %filecheck %s --check-prefix=PLAIN --implicit-check-not=fast --implicit-check-not=preserve-sign

; CHECK: define float @f(float %a, i32 %n) #[[F:[0-9]+]]
; CHECK-NEXT: %sum = fadd fast float %a, %a
; CHECK-NEXT: %root = call fast float @sqrtf(float %sum)
; CHECK-NEXT: %less = fcmp fast olt float %root, %a
; CHECK-NEXT: %twice = add i32 %n, %n
; CHECK-NEXT: %x = sitofp i32 %twice to float
; CHECK-NEXT: %r = select fast i1 %less, float %x, float %root
; CHECK: declare float @sqrtf(float){{$}}
; CPU: attributes #[[F]] = { "kiln.entry" }
; GPU: attributes #[[F]] = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" "kiln.entry" }

; PLAIN: %sum = fadd float %a, %a
; PLAIN-NEXT: %root = call contract float @sqrtf(float %sum)
define float @f(float %a, i32 %n) "kiln.entry" {
  %sum = fadd float %a, %a
  %root = call contract float @sqrtf(float %sum)
  %less = fcmp olt float %root, %a
  %twice = add i32 %n, %n
  %x = sitofp i32 %twice to float
  %r = select i1 %less, float %x, float %root
  ret float %r
}
declare float @sqrtf(float)
