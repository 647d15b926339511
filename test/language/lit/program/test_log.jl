# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# --test-log: a line of JSON for each test that ran, and for each statement and testset that fails; the file goes on.
#
# RUN: %status 1 %kiln script --test-log %t.log %s > %t.out
# RUN: %filecheck %s --input-file %t.log
# RUN: %filecheck %s --input-file %t.out --check-prefix=OUT
# RUN: %status 1 %kiln script --test-log %t.missing/log %s 2>&1 | %filecheck %s --check-prefix=MISSING
using Test
macro twice(f)
    :(println($(string(__source__.line)), " ", basename($(string(__source__.file)))))
end
@testset "sums" begin
    # CHECK: {"line": [[@LINE+1]], "file": "{{.*}}test_log.jl", "outcome": "pass", "testset": "sums", "expression": "", "reason": ""}
    @test 1 + 1 == 2
    for i in (1, 1, 2)
        # CHECK-NEXT: {"line": [[@LINE+2]], {{.*}} "outcome": "pass"
        # CHECK-NEXT: {"line": [[@LINE+1]], {{.*}} "outcome": "fail", "testset": "sums", "expression": "i == 1", "reason": "Evaluated: 2 == 1"}
        @test i == 1
    end
    # CHECK-NEXT: {"line": [[@LINE+1]], {{.*}} "outcome": "error", {{.*}} "reason": "Test threw exception: a \"quoted\"\nword"}
    @test error("a \"quoted\"\nword")
    # CHECK-NEXT: {"line": [[@LINE+1]], {{.*}} "outcome": "broken"
    @test_broken 1 == 2
    # CHECK-NEXT: {"line": [[@LINE+1]], "file": "{{.*}}test_log.jl", "outcome": "pass"
    @test 1 == 1 broken=false
    # CHECK-NEXT: {"line": [[@LINE+1]], "file": "{{.*}}test_log.jl", "outcome": "broken"
    @test 1 == 2 broken=true
    # CHECK-NEXT: {"line": [[@LINE+1]], {{.*}} "outcome": "outside", "testset": "sums/inner 7", {{.*}} "reason": "lost"}
    @testset "inner $x" for x in 7:7
        error("lost")
        @test true
    end
    # CHECK-NEXT: {"line": [[@LINE+1]], {{.*}} "outcome": "pass"
    @test_throws ErrorException error("x")
end
# CHECK-NEXT: {"line": [[@LINE+1]], {{.*}} "outcome": "statement", {{.*}}UndefVarError[103]: `nowhere` not defined
x = nowhere
# CHECK-NEXT: {"line": [[@LINE+1]], {{.*}} "outcome": "pass", "testset": ""
@test 2 == 2
# OUT: [[@LINE+1]] test_log.jl
@twice 1
# MISSING: SystemError: opening file
# MISSING-NOT: Test Summary
