; It can be read, but the value does not reach its use.
define i32 @f(i1 %c) "kiln.entry" {
  br i1 %c, label %a, label %b
a:
  %x = add i32 1, 2
  br label %b
b:
  ret i32 %x
}
