# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Structs that hold themselves are types like others; as arguments of compiled code they are not of bits.
#
# RUN: %status 1 %kiln compile %s "f(Itself)" --no-kernel 2>&1 | %filecheck %s
# RUN: %status 1 %kiln compile %s "f(Deeper{Int})" --no-kernel 2>&1 | %filecheck %s
# RUN: %status 1 %kiln compile %s "f(List{Int})" --target ptx 2>&1 | %filecheck %s
# RUN: %status 1 %kiln compile %s "f(One{Int})" --no-kernel 2>&1 | %filecheck %s
# CHECK: KernelError[120]: passing non-bitstype argument
# RUN: %kiln compile %s "f(Int)" --no-kernel
# RUN: %kiln run %s made --arg "zeros(Int, 1)" --device cpu
#
# RUN: %status 1 %kiln compile %s "f(NTuple{80000,Int})" --no-kernel 2>&1 | %filecheck %s --check-prefix=LARGE
# LARGE: TypeError[105]: the type of an argument has more than 20000 parts

struct Itself
    x::Itself
end
struct Deeper{T}
    x::Deeper{Deeper{T}}
end
struct List{T}
    value::T
    next::Union{Nothing,List{T}}
end
struct Other{T}
    back::T
end
struct One{T}
    x::Union{Nothing,Tuple{Other{One{T}}}}
end
f(x) = 1
function made(a)
    first = List(1, nothing)
    second = List(2, first)
    a[1] = second.value
    return
end
