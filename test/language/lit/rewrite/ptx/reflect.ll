; Questions of libdevice: 10 times the architecture, whether denormals are flushed, whether square roots are exact. Kiln's
; own: the PTX ISA. An unknown question is answered with 0. Branches on the answer are decided, even where nothing is
; optimised: the other architecture's instructions cannot be selected.
; RUN: %opt --rewrite reflect --target ptx --arch sm_80 %s | %filecheck %s --check-prefixes=CHECK,EXACT,OLD --implicit-check-not="call i32"
; RUN: %opt --rewrite reflect --target ptx --arch sm_100 --fastmath %s | %filecheck %s --check-prefixes=CHECK,FAST,NEW --implicit-check-not="call i32"

@arch = private constant [12 x i8] c"__CUDA_ARCH\00"
@ftz = private constant [11 x i8] c"__CUDA_FTZ\00"
@root = private constant [17 x i8] c"__CUDA_PREC_SQRT\00"
@isa = private constant [15 x i8] c"__KILN_PTX_ISA\00"
@other = private constant [14 x i8] c"__CUDA_SECRET\00"

; CHECK: define void @answers(ptr %p)
; OLD-NEXT: store i32 800, ptr %p
; NEW-NEXT: store i32 1000, ptr %p
; EXACT-NEXT: store i32 0, ptr %p
; EXACT-NEXT: store i32 1, ptr %p
; FAST-NEXT: store i32 1, ptr %p
; FAST-NEXT: store i32 0, ptr %p
; OLD-NEXT: store i32 85, ptr %p
; NEW-NEXT: store i32 88, ptr %p
; CHECK-NEXT: store i32 0, ptr %p
; CHECK-NEXT: ret void
define void @answers(ptr %p) "kiln.entry" {
  %arch = call i32 @__nvvm_reflect(ptr @arch)
  store i32 %arch, ptr %p
  %ftz = call i32 @__nvvm_reflect(ptr @ftz)
  store i32 %ftz, ptr %p
  %root = call i32 @__nvvm_reflect(ptr @root)
  store i32 %root, ptr %p
  %isa = call i32 @__nvvm_reflect(ptr @isa)
  store i32 %isa, ptr %p
  %other = call i32 @__nvvm_reflect(ptr @other)
  store i32 %other, ptr %p
  ret void
}
; CHECK: define internal i32 @branches()
; CHECK-NEXT: br label %[[TAKEN:old|new]]
; OLD: old:
; OLD-NEXT: ret i32 1
; NEW: new:
; NEW-NEXT: ret i32 2
; CHECK-NEXT: }
define internal i32 @branches() {
  %arch = call i32 @__nvvm_reflect(ptr @arch)
  %is_new = icmp sge i32 %arch, 900
  br i1 %is_new, label %new, label %old
old:
  ret i32 1
new:
  ret i32 2
}
declare i32 @__nvvm_reflect(ptr)
