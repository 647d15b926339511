# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A package extension names its package as `using P` does in Julia's load path; here P's file was loaded before it.
#
# RUN: %kiln run %S/inputs/packages/P.jl %s PExt.extended --arg 'zeros(Int64, 5)' --device cpu --out 1=%t.npy 2>&1 | %filecheck %s --check-prefix=FOUND
# FOUND-NOT: the package
# RUN: %npy show %t.npy | %filecheck %s
# CHECK: values 21 8 14 7 3
#
# Without that file a note says so, once a package, and the exit status is that of the rest.
# RUN: %status 0 %kiln compile %s 'alone(Int64)' --no-kernel --emit typed -o %t.typed 2>&1 | %filecheck %s --check-prefix=NOTE --match-full-lines
#      NOTE: kiln: warning: {{.*}}packages.jl:[[@LINE+25]]:7: the package `P` is not known, so what it defines is missing: only what Kiln brings is; load the files that define it
#  NOTE-NOT: the package `P`
#
# What is used of it says where it was to come from, whatever names are near.
# RUN: %status 1 %kiln compile %s 'PExt.extended(CuDeviceVector{Int64,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=LATER
# LATER: InvalidIRError[103]: UndefVarError: `tripled` not defined in `Main.PExt`
# LATER: hint: {{.*}}the package `P`, at {{.*}}packages.jl:[[@LINE+19]], is not known
#
# try ... catch around what may not be there: the rest of the body is left out, the catch block goes on.
# RUN: %kiln run %S/inputs/packages/P.jl %s attempts --arg 'zeros(Int64, 6)' --device cpu --out 1=%t.npy 2>&1 | %filecheck %s --check-prefix=CAUGHT
# CAUGHT: warning: {{.*}}broken.jl:2:{{[0-9]+}}: syntax error: {{.*}}; the `catch` block goes on
# CAUGHT-NOT: warning
# RUN: %npy show %t.npy | %filecheck %s --check-prefix=TRIED
# TRIED: values 1 2 3 4 5 6
#
# A file that is not there, without a try around it.
# RUN: %kiln compile %S/inputs/packages/missing.jl 'f(Int64)' --no-kernel -o %t.s 2>&1 | %filecheck %s --check-prefix=MISSING
# MISSING: warning: {{.*}}missing.jl:2:1: `include("nowhere.jl")` at {{.*}} could not be read: {{.*}}: what it defines is missing
alone(x) = x

module PExt




using P
using P: hidden as visible
import P
import P.Inner: deep
extended(o) = (o[1] = tripled(7); o[2] = visible(7); o[3] = deep(7); o[4] = identity(7); o[5] = P.tripled(1); nothing)
end

try
    include("inputs/packages/none.jl")
    const first_try = 0
catch
    const first_try = 1
end
try
    using NoSuchPackage
    const second_try = 0
catch e
    const second_try = 2
finally
    const third_try = 3
end
try
    include("inputs/packages/broken.jl")
catch err
    fourth_try(x) = 4
end
try
    fifth() = 5
catch
    fifth() = 0
else
    const sixth = 6
end
attempts(o) = (o[1] = first_try; o[2] = second_try; o[3] = third_try; o[4] = fourth_try(1); o[5] = fifth(); o[6] = sixth; nothing)
