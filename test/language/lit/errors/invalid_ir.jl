# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# All that cannot run, in the order of the source, each with the way to it through inlined frames. What is in a
# function of its own (@noinline) stands where it is called.
#
# RUN: %status 1 %kiln compile %s 'many(CuDeviceVector{Float32,1})' --target ptx 2> %t.ptx
# RUN: %status 1 %kiln compile %s 'many(CuDeviceVector{Float32,1})' 2> %t.native
# RUN: cmp %t.ptx %t.native
# RUN: %filecheck %s --match-full-lines < %t.ptx
#      CHECK: {{.*}}invalid_ir.jl:[[@LINE+42]]:20: InvalidIRError[103]: UndefVarError: `unknown_function` not defined in `Main`
# CHECK-NEXT: [[@LINE+41]] | @inline inner(x) = unknown_function(x)
# CHECK-NEXT: | ^
# CHECK-NEXT: Stacktrace:
# CHECK-NEXT: [1] inner @ {{.*}}invalid_ir.jl:[[@LINE+38]]
# CHECK-NEXT: [2] outer @ {{.*}}invalid_ir.jl:[[@LINE+38]]
# CHECK-NEXT: [3] many @ {{.*}}invalid_ir.jl:[[@LINE+41]]
# CHECK-NEXT: {{.*}}invalid_ir.jl:[[@LINE+36]]:31: InvalidIRError[103]: UndefVarError: `unheard_of` not defined in `Main`
# CHECK-NEXT: [[@LINE+35]] | @inline outer(x) = inner(x) + unheard_of(x)
# CHECK-NEXT: | ^
# CHECK-NEXT: Stacktrace:
# CHECK-NEXT: [1] outer @ {{.*}}invalid_ir.jl:[[@LINE+32]]
# CHECK-NEXT: [2] many @ {{.*}}invalid_ir.jl:[[@LINE+35]]
# CHECK-NEXT: {{.*}}invalid_ir.jl:[[@LINE+31]]:20: InvalidIRError[103]: UndefVarError: `notthere` not defined in `Main`
# CHECK-NEXT: [[@LINE+30]] | @noinline far(x) = notthere(x)
# CHECK-NEXT: | ^
# CHECK-NEXT: Stacktrace:
# CHECK-NEXT: [1] far @ {{.*}}invalid_ir.jl:[[@LINE+27]]
# CHECK-NEXT: [2] many @ {{.*}}invalid_ir.jl:[[@LINE+30]]
# CHECK-NEXT: {{.*}}invalid_ir.jl:[[@LINE+30]]:12: InvalidIRError[102]: MethodError: no method matching string(::String, ::Float32)
#      CHECK: {{.*}}invalid_ir.jl:[[@LINE+30]]:12: InvalidIRError[103]: UndefVarError: `nearly` not defined in `Main`
#      CHECK: [1] many @ {{.*}}invalid_ir.jl:[[@LINE+29]]
#  CHECK-NOT: {{.*}}InvalidIRError{{.*}}
#
# The same at every debug level: stacks need none of it in the output.
# RUN: %status 1 %kiln compile %s 'many(CuDeviceVector{Float32,1})' --target ptx -g0 2> %t.0
# RUN: cmp %t.ptx %t.0
# RUN: %status 1 %kiln compile %s 'many(CuDeviceVector{Float32,1})' --target ptx -O0 2> %t.O0
# RUN: cmp %t.ptx %t.O0
#
# Code that is never reached has no faults.
# RUN: %kiln compile %s 'guarded(CuDeviceVector{Float32,1})' --target ptx -o %t.guarded
#
# A function with two call sites is told of once.
# RUN: %status 1 %kiln compile %s 'twice(CuDeviceVector{Float32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=TWICE
#     TWICE: InvalidIRError[103]: UndefVarError: `notthere` not defined in `Main`
#     TWICE: [1] far @
# TWICE-NEXT: [2] multiple call sites
# TWICE-NOT: InvalidIRError

using CUDA

@inline inner(x) = unknown_function(x)
@inline outer(x) = inner(x) + unheard_of(x)
@noinline far(x) = notthere(x)

function many(y)
    y[1] = outer(y[1])
    y[2] = far(y[2])
    y[3] = string("a", y[3])
    y[4] = nearly(y[4])
    return
end

function guarded(y)
    if sizeof(y[1]) == 8
        y[1] = outer(y[1])
    end
    return
end

function twice(y)
    y[1] = far(y[1])
    y[2] = far(y[2])
    return
end
