; No instruction of LLVM's.
define void @f() "kiln.entry" {
  jump nowhere
}
