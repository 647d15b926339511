# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# @test_logs, @test_warn and @test_nowarn: they return the value, and they can fail. Loggers that a program defines. redirect_stderr.
#
# RUN: %kiln script --device cpu %s 2>&1 | %filecheck %s --match-full-lines
using Test, Logging
function twice(x)
    @info "doubling" x
    x < 0 && @warn "negative: $x"
    return 2x
end
#      CHECK: 6 -6 8 10 -2 7
println(@test_logs((:info, "doubling"), twice(3)), " ", @test_logs((:info, "doubling"), (:warn, r"^neg"), twice(-3)), " ", @test_logs(:info, twice(4)), " ",
        @test_logs(min_level = Logging.Warn, twice(5)), " ", @test_logs((:warn, r"-1"), match_mode = :any, twice(-1)), " ", @test_logs(3 + 4))
fails(f) =
    try
        f()
        println("passed")
    catch e
        println(typeof(e))
    end
# CHECK-NEXT: Test Failed
# CHECK-NEXT:   Expression: twice(3)
# CHECK-NEXT:    Expected: (:warn, "doubling")
# CHECK-NEXT:         Got: Info "doubling"
# CHECK-NEXT: {{.*}}Test.FallbackTestSetException
fails(() -> @test_logs (:warn, "doubling") twice(3))
# CHECK: {{.*}}Test.FallbackTestSetException
fails(() -> @test_logs twice(3))
# CHECK: {{.*}}Test.FallbackTestSetException
fails(() -> @test_logs (:info, "doubling") (:warn, "other") match_mode = :any twice(-3))
# CHECK: {{.*}}Test threw exception: nothing to double
# CHECK-NEXT: {{.*}}Test.FallbackTestSetException
fails(() -> @test_logs (:info, "doubling") error("nothing to double"))

# CHECK-NEXT: 5 (true, 1) 2
println(@test_warn("careful", (println(stderr, "be careful"); 5)), " ", @test_warn(r"neg.*-1"s, (twice(-1) == -2, 1)), " ", @test_nowarn(1 + 1))
# CHECK: {{.*}}Test.FallbackTestSetException
fails(() -> @test_warn "careful" println("careful"))
# CHECK: {{.*}}Test.FallbackTestSetException
fails(() -> @test_nowarn println(stderr, "careful"))

struct Counting <: AbstractLogger
    seen::Vector{Any}
end
Logging.min_enabled_level(::Counting) = Logging.Warn
Logging.shouldlog(::Counting, level, m, group, id) = m === Main
Logging.handle_message(l::Counting, level, message, m, group, id, file, line; size=0, rest...) = push!(l.seen, (level == Logging.Error, message, size, basename(file)))
logger = Counting([])
with_logger(logger) do
    @info "no"
    @warn "few"
    @error "many" size = 3
end
# CHECK-NEXT: Any[(false, "few", 0, "test_logs.jl"), (true, "many", 3, "test_logs.jl")]
println(logger.seen)
logs, value = Test.collect_test_logs() do
    twice(-2)
end
# CHECK-NEXT: -4 ["doubling", "negative: -2"] [-2]
println(value, " ", [r.message for r in logs], " ", collect(values(logs[1].kwargs)))

io = IOBuffer()
redirect_stderr(io) do
    println(stderr, "an error")
    @warn "a warning"
    println("shown")
end
redirect_stderr(() -> println(stderr, "lost"), devnull)
redirect_stdio(() -> (println("out"); println(stderr, "err")); stdout=io, stderr=io)
# CHECK-NEXT: shown
# CHECK-NEXT: an error
# CHECK-NEXT: ┌ Warning: a warning
# CHECK-NEXT: └ @ Main {{.*}}test_logs.jl:{{[0-9]+}}
# CHECK-NEXT: out
# CHECK-NEXT: err
# CHECK-NEXT: back
print(String(take!(io)))
println(stderr, "back")
