# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Log messages, as Julia's console writes them: values by name, the place of warnings and errors.
#
# RUN: %kiln script %s 2>&1 >/dev/null | %filecheck %s --match-full-lines --strict-whitespace
#      CHECK:[ Info: hello
@info "hello"
x = 3
# CHECK-NEXT:┌ Info: values 2
# CHECK-NEXT:│   x = 3
# CHECK-NEXT:│   y = "abc"
# CHECK-NEXT:└   x + 1 = 4
@info "values $(1 + 1)" x y = "abc" x + 1
# CHECK-NEXT:┌ Warning: careful
# CHECK-NEXT:└ @ Main {{.*}}log.jl:[[@LINE+1]]
@warn "careful"
# CHECK-NEXT:┌ Error: bad
# CHECK-NEXT:│   code = 7
# CHECK-NEXT:└ @ Main {{.*}}log.jl:[[@LINE+1]]
@error "bad" code = 7
# CHECK-NEXT:┌ Info: two
# CHECK-NEXT:└ lines
@info "two\nlines"
# CHECK-NEXT:┌ Info: list
# CHECK-NEXT:│   v =
# CHECK-NEXT:│    2-element Vector{Int64}:
# CHECK-NEXT:│     1
# CHECK-NEXT:└     2
@info "list" v = [1, 2]
# CHECK-NEXT:[ Info: once
for i in 1:3
    @info "once" maxlog = 1
end
@debug "not shown" x
using Logging
with_logger(NullLogger()) do
    @warn "not shown"
end
# CHECK-NEXT:┌ Warning: shown
# CHECK-NEXT:└ @ Main {{.*}}
with_logger(ConsoleLogger(stderr, Logging.Warn)) do
    @info "not shown"
    @warn "shown"
end
# CHECK-NEXT:┌ Info: failed
# CHECK-NEXT:└   exception = boom
@info "failed" exception = ErrorException("boom")
# CHECK-NOT:{{.}}
