; Only the entry keeps its name outside. What a library lets the host set stays visible, as do declarations and LLVM's own
; variables. --always-inline reaches what is neither recursive nor cold.
; RUN: %opt --rewrite internalize --no-kernel %s | %filecheck %s --check-prefixes=CHECK,PLAIN --implicit-check-not=alwaysinline
; RUN: %opt --rewrite internalize --no-kernel --always-inline %s | %filecheck %s --check-prefixes=CHECK,INLINE

; CHECK: @table = internal constant i32 1
; CHECK: @hidden = internal global i32 2
; CHECK: @from_host = externally_initialized global i32 3
; CHECK: @elsewhere = external global i32
; CHECK: @llvm.used = appending global
@table = constant i32 1
@hidden = hidden global i32 2
@from_host = externally_initialized global i32 3
@elsewhere = external global i32
@llvm.used = appending global [1 x ptr] [ptr @table], section "llvm.metadata"

; CHECK: define void @entry() #
define void @entry() "kiln.entry" {
  call void @plain()
  call void @odd()
  call void @outlined()
  call void @unknown()
  ret void
}
; PLAIN: define internal void @plain() #[[NOINLINE:[0-9]+]]
; INLINE: define internal void @plain() #[[INLINED:[0-9]+]]
define void @plain() noinline {
  ret void
}
; Two that call each other.
; CHECK: define internal void @odd() {
define void @odd() {
  call void @even()
  ret void
}
; CHECK: define internal void @even() {
define void @even() {
  call void @odd()
  ret void
}
; CHECK: define internal void @outlined() #[[OUT:[0-9]+]]
define void @outlined() cold noinline {
  ret void
}
; CHECK: declare void @unknown()
declare void @unknown()

; PLAIN: attributes #[[NOINLINE]] = { noinline }
; INLINE: attributes #[[INLINED]] = { alwaysinline }
; CHECK: attributes #[[OUT]] = { cold noinline }
