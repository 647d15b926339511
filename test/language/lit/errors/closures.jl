# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Closures that compiled code would get wrong are refused, at the closure.
#
# RUN: %status 1 %kiln compile %s 'kept(CuDeviceVector{Int,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=KEPT
# KEPT: closures.jl:[[@LINE+13]]:10: InvalidIRError[122]: unsupported: a closure over `s`, which is assigned again at {{.*}}closures.jl:[[@LINE+14]] while the closure is in use
# KEPT: hint: compiled closures hold values: pass the variable as an argument, or keep it in an array
# RUN: %status 1 %kiln compile %s 'looped(CuDeviceVector{Int,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=LOOPED
# LOOPED: closures.jl:[[@LINE+19]]:{{[0-9]+}}: InvalidIRError[122]: unsupported: a closure over `s`, which is assigned again at
# RUN: %status 1 %kiln compile %s 'assigns(CuDeviceVector{Int,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=ASSIGNS
# ASSIGNS: closures.jl:[[@LINE+26]]:{{[0-9]+}}: InvalidIRError[122]: unsupported: assignment to `s`, a variable of an enclosing function
# RUN: %status 1 %kiln compile %s 'circle(CuDeviceVector{Int,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=CIRCLE
# CIRCLE: closures.jl:[[@LINE+31]]:{{[0-9]+}}: InvalidIRError[122]: unsupported: a closure over `second`, which is assigned only after the closure is made

using CUDA

function kept(y)
    s = 1
    t = (() -> s, 2)
    s = 5
    y[1] = t[1]() + s
    return
end

# The generator's closure is called after each round's assignment.
function looped(y)
    s = 1
    for v in (s * i for i in 1:3)
        s += v
    end
    y[1] = s
    return
end

function assigns(y)
    s = 0
    add = k -> (s += k)
    add(2)
    y[1] = s
    return
end

function circle(y)
    first(n) = n == 0 ? 1 : second(n - 1)
    second(n) = n == 0 ? 2 : first(n - 1)
    y[1] = first(3)
    return
end
