# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The words that random numbers go on from are a variable of the entry; whoever draws one gets its address, and nobody else.
#
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1}, Int64)' --target ptx -g0 --emit llvm-opt | %filecheck %s
# CHECK-NOT: kiln.random_state
# CHECK: define ptx_kernel void @_Z6kernel
# CHECK: %random = alloca [2 x i32], align 8
# CHECK: call float @[[DRAWS:julia_draws_[0-9]+]](ptr{{[^,)]*}} %random{{[^,)]*}}, i64
# CHECK: call i64 @[[PLAIN:julia_plain_[0-9]+]](i64
# CHECK-DAG: define internal{{.*}} float @[[DRAWS]](ptr{{[^,)]*}} %random, i64
# CHECK-DAG: define internal{{.*}} i64 @[[PLAIN]](i64 {{[^,)]*}})
# CHECK-NOT: kiln.random_state
#
# Without random numbers there is none of it; with them inlined the words are registers.
# RUN: %kiln compile %s 'without(CuDeviceVector{Float32,1})' --target ptx -g0 --emit llvm | %filecheck %s --check-prefix=NONE
# NONE-NOT: {{kiln.random|%random}}
# RUN: %kiln compile %s 'inlined(CuDeviceVector{Float32,1})' --target ptx -g0 | %filecheck %s --check-prefix=INLINED
# INLINED-NOT: .local
# INLINED: mul.lo.s64 {{.*}}, 3528905107;
# INLINED-NOT: .local

using CUDA
using Random

@noinline draws(n) = n > 0 ? draws(n - 1) + rand(Float32) : rand(Float32)
@noinline plain(n) = n * n
function kernel(y, n)
    @inbounds y[1] = draws(n)
    @inbounds y[2] = plain(n)
    return
end
function without(y)
    @inbounds y[1] = CUDA.saturate(y[2])
    return
end
function inlined(y)
    @inbounds y[threadIdx().x] = rand(Float32)
    return
end
