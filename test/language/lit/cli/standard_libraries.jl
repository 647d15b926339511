# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Julia's standard libraries that Kiln does not bring: `using` says what each is and what there is in its place; so does what is used of it, and only that.
#
# RUN: %status 1 %kiln compile %s 'uses(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --implicit-check-not=warning:
# CHECK: warning: {{.*}}standard_libraries.jl:[[@LINE+14]]:7: `Test`, Julia's standard library for unit tests, is not part of Kiln, so what it defines is missing: check on the host
# CHECK: warning: {{.*}}standard_libraries.jl:[[@LINE+13]]:13: `Printf`, Julia's standard library for formatted output, is not part of Kiln, {{.*}} @cuprintf
# CHECK: warning: {{.*}}standard_libraries.jl:[[@LINE+14]]:7: `Statistics`, {{.*}} a mean is sum(x) / length(x)
# CHECK: standard_libraries.jl:[[@LINE+16]]:5: InvalidIRError[122]: unsupported: macro @test: `Test`, Julia's standard library for unit tests, is not part of Kiln: check on the host
# CHECK: standard_libraries.jl:[[@LINE+16]]:5: InvalidIRError[122]: unsupported: macro @printf: `Printf`, {{.*}}kernels print with
# CHECK: standard_libraries.jl:[[@LINE+16]]:{{[0-9]+}}: InvalidIRError[103]: UndefVarError: `mean` not defined in `Main`
# CHECK: hint: `Statistics`, Julia's standard library for means, deviations and quantiles, is not part of Kiln: a mean is sum(x) / length(x); write the others out
#
# A name that none of them defines is not said to be theirs.
# CHECK: InvalidIRError[103]: UndefVarError: `nowhere_at_all` not defined in `Main`
# CHECK-NOT: hint: `
#
# What Kiln has of them needs no word.

using Test, Printf
using Random, LinearAlgebra
using Statistics

function uses(y)
    @test y[1] == 1f0
    @printf("%d", 1)
    y[1] = mean(y)
    y[2] = nowhere_at_all(y)
    y[3] = dot(y, y)
    return
end
