# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A package that calls libraries of C: Kiln has its own of the functions that it knows, in programs and kernels. Values are mpmath's.
#
# RUN: %kiln script --load-path %S/inputs/libraries %s 2>&1 | %filecheck %s
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float64,1}, Float64)' --target ptx --load-path %S/inputs/libraries -o - | %filecheck %s --check-prefix=PTX
# RUN: not %kiln compile %s 'unknown(CuDeviceVector{Float64,1}, Float64)' --target ptx --load-path %S/inputs/libraries -o - 2>&1 | %filecheck %s --check-prefix=UNKNOWN
# PTX: .visible .entry {{.*}}kernel
# PTX-NOT: .extern
# UNKNOWN: InvalidIRError[122]: unsupported: ccall of a host function
using Calls, KernelAbstractions

function kernel(y, x)
    y[1] = own_gamma(x)
    y[2] = Calls.first_kind(x)
    y[3] = Calls.second_kind(x)
    y[4] = bessel(2, x)
    y[5] = Calls.scaled(x)
    y[6] = own_gamma(Float32(x))
    return
end
function unknown(y, x)
    y[1] = Calls.airy(x)
    return
end

@kernel function on_device(y, x)
    kernel(y, x)
end
y = zeros(6)
on_device(CPU())(y, 2.5; ndrange=1)
println(round.(y; digits=5))
# CHECK: [1.32934, -0.04838, 0.14592, 0.44606, 0.21081, 1.32934]
println(Calls.constants())
# CHECK: 0.5772156649015329
println(Calls.N0f4, " ", Calls.N4f0 === Calls.Part{Float64,4})
# CHECK: Calls.Part{Float64, 0} true
println(order(Int16(1)), order(2), Calls.old_order(Int8(1)), " ", Calls.order_of_square(), Calls.order_of_part())
# CHECK: 281 21
println(Calls.twice(1.5))
# CHECK: (1.5, 1.5)
println(fieldnames(Calls.Square), fieldcount(Calls.Square), " ", Symbol('a', 1, 'é'), " ", Base.logabsgamma(-0.5)[2], " ", Base.logabsgamma(-1.5)[2])
# CHECK: (:side, :name)2 a1é -1 1
println(@described(a), ", ", @described(a, b), ", ", @described())
# CHECK: one: a, 2 in all, 0 in all
@doubled struct Both
    first::Int
end
println(total(Both(2, 3)))
# CHECK: 5
println([1, 2, 3, 2] |> v -> setdiff!(v, [2]))
# CHECK: [1, 3]
