; A function that draws random numbers, and whose address is taken.
define void @kernel(ptr %p) "kiln.entry" "kiln.kernel" {
  store ptr @draws, ptr %p
  ret void
}
define internal ptr @draws() {
  %state = call ptr @kiln.random_state()
  ret ptr %state
}
declare ptr @kiln.random_state()
