; What LLVM 22.1.8's SPIR-V back-end has no or wrong code for (docs/spirv-back-end.md): Kiln rewrites each, and the result is SPIR-V.
; RUN: %opt --target spirv --finish --asm --no-kernel %s | %filecheck %s --implicit-check-not=SPV_ --implicit-check-not="OpTypeInt 128" --implicit-check-not="OpTypeInt 33" --implicit-check-not=OpBitReverse --implicit-check-not=OpFRem
; CHECK: OpExtInstImport "OpenCL.std"
; CHECK-DAG: OpExtInst {{.*}} fmod
; CHECK-DAG: OpExtInst {{.*}} ldexp
; CHECK-DAG: OpExtInst {{.*}} u_mul_hi
; RUN: %opt --target spirv --finish --no-kernel %s | %filecheck %s --check-prefix=IR --implicit-check-not=i128 --implicit-check-not=i33 --implicit-check-not=llvm.minimum --implicit-check-not="phi {" --implicit-check-not=bfloat
; IR: define

define i64 @entry(i64 %x, float %f, i1 %c, ptr addrspace(1) %p) "kiln.entry" {
  %a = call i64 @wide(i64 %x)
  %b = call float @floats(float %f)
  %n = fptosi float %b to i64
  %d = call i64 @aggregates(i1 %c, i64 %x, ptr addrspace(1) %p)
  %e = call i32 @narrow(i64 %x)
  %g = call i16 @brain(i16 7)
  %h = zext i32 %e to i64
  %j = zext i16 %g to i64
  %s1 = add i64 %a, %n
  %s2 = add i64 %s1, %d
  %s3 = add i64 %s2, %h
  %s4 = add i64 %s3, %j
  ret i64 %s4
}
define internal i64 @wide(i64 %x) {
  %w = zext i64 %x to i128
  %m = mul i128 %w, %w
  %h = lshr i128 %m, 70
  %t = trunc i128 %h to i64
  %o = zext i64 %x to i65
  %p = sub i65 %o, 5
  %q = lshr i65 %p, 3
  %r = trunc i65 %q to i64
  %s = add i64 %t, %r
  ret i64 %s
}
define internal float @floats(float %f) {
  %a = call float @llvm.minimum.f32(float %f, float 1.0)
  %b = call float @llvm.maximum.f32(float %a, float -1.0)
  %c = call float @llvm.ldexp.f32.i32(float %b, i32 3)
  %d = frem float %c, 3.0
  ret float %d
}
define internal i64 @aggregates(i1 %c, i64 %x, ptr addrspace(1) %p) {
entry:
  br i1 %c, label %one, label %two
one:
  %a = load { i64, i64 }, ptr addrspace(1) %p
  br label %end
two:
  %b = insertvalue { i64, i64 } { i64 1, i64 2 }, i64 %x, 1
  br label %end
end:
  %both = phi { i64, i64 } [ %a, %one ], [ %b, %two ]
  %r = extractvalue { i64, i64 } %both, 1
  ret i64 %r
}
define internal i32 @narrow(i64 %x) {
  %t = trunc i64 %x to i16
  %z = zext i16 %t to i32
  %r = call i32 @llvm.bitreverse.i32(i32 %z)
  %o = call { i32, i1 } @llvm.smul.with.overflow.i32(i32 %r, i32 %z)
  %v = extractvalue { i32, i1 } %o, 0
  %f = extractvalue { i32, i1 } %o, 1
  %s = select i1 %f, i32 0, i32 %v
  ret i32 %s
}
define internal i16 @brain(i16 %bits) {
  %b = bitcast i16 %bits to bfloat
  %s = fadd bfloat %b, 1.0
  %r = bitcast bfloat %s to i16
  ret i16 %r
}
declare float @llvm.minimum.f32(float, float)
declare float @llvm.maximum.f32(float, float)
declare float @llvm.ldexp.f32.i32(float, i32)
declare i32 @llvm.bitreverse.i32(i32)
declare { i32, i1 } @llvm.smul.with.overflow.i32(i32, i32)
