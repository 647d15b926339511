; A function that asks for the state, and whose address is taken.
define void @kernel(ptr %p) "kiln.entry" "kiln.kernel" {
  store ptr @asks, ptr %p
  ret void
}
define internal ptr @asks() {
  %state = call ptr @kiln.state()
  ret ptr %state
}
declare ptr @kiln.state()
