# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# As in Julia, `catch e` assigns e: a local variable e around the try gets the exception. At top level e is local.
#
# RUN: %kiln script %s | %filecheck %s
function caught(e=nothing)
    try
        error("inside")
    catch e
    end
    return e
end
# CHECK: ErrorException("inside")
println(caught())
function twice()
    try error("first") catch e end
    try error("second") catch e end
    return @isdefined(e)
end
# CHECK-NEXT: false
println(twice())
function by_closure()
    e = 1
    run() = try error("of a closure") catch e end
    run()
    return e
end
# CHECK-NEXT: ErrorException("of a closure")
println(by_closure())
e = 1
try error("at top level") catch e end
# CHECK-NEXT: 1
println(e)
# Numbers without an order have no isless.
# CHECK-NEXT: true true
is_unordered(f) = try f(); false catch e; e isa MethodError && e.f === isless end
println(is_unordered(() -> 1.0im < 1), " ", is_unordered(() -> 1im <= 2im))
