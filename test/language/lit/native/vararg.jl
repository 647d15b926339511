# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Vararg as the type of the last parameter (the manual's "Parametrically-constrained Varargs methods"): with a count it takes
# exactly so many arguments, which are a tuple in the body.
#
# RUN: %kiln run %s values --arg 'zeros(Int64, 14)' --device cpu --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s
# CHECK: values 6 0 3 12 2 1 5 100 11 24 7 9 4 60
# RUN: %kiln run %s at_top_level --no-kernel | %filecheck %s --check-prefix=TOP
# TOP: (6, 3, 24)
#
# Another count is another signature: no method.
# RUN: %status 1 %kiln compile %s 'too_few(CuDeviceVector{Int64,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=FEW
# FEW: vararg.jl:{{[0-9]+}}:{{[0-9]+}}: InvalidIRError[102]: MethodError: no method matching three(::Int64, ::Int64)
# FEW: closest candidate: three(::Int64, ::Int64, ::Int64) at {{.*}}vararg.jl
# RUN: %status 1 %kiln compile %s 'too_many(CuDeviceVector{Int64,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=MANY
# MANY: InvalidIRError[102]: MethodError: no method matching three(::Int64, ::Int64, ::Int64, ::Int64)
# RUN: %status 1 %kiln compile %s 'mixed(CuDeviceVector{Int64,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=MIXED
# MIXED: InvalidIRError[102]: MethodError: no method matching same(::Int64, ::Float64)
# RUN: %status 1 %kiln compile %s 'three(Int64)' --no-kernel 2>&1 | %filecheck %s --check-prefix=JOB
# JOB: job:1:1: MethodError[102]: no method matching three(::Int64)
# RUN: %kiln compile %s 'three(Int64, Int64, Int64)' --no-kernel --emit lowered | %filecheck %s --check-prefix=LOWERED
# LOWERED: three
# RUN: %status 1 %kiln compile %S/inputs/bad_vararg.jl 'f(Int64)' 2>&1 | %filecheck %s --check-prefix=FIRST
# FIRST: bad_vararg.jl:2:21: syntax error[101]: only the last parameter may be a Vararg or be followed by ...

three(a::Vararg{Int,3}) = a[1] + a[2] + a[3]
none(a::Vararg{Int,0}) = length(a)
any_number(a::Vararg{Int}) = length(a)
untyped(a::Vararg) = length(a)
counted(a::Vararg{T,N}) where {T,N} = N * sizeof(T)
same(x::Int, a::Vararg{Int,1}) = x + a[1]
indexed(A::AbstractArray{T,N}, I::Vararg{Int,N}) where {T,N} = N
keyed(a::Vararg{Int,2}; by = 10) = (a[1] + a[2]) * by
first_then(a, b::Vararg{Int,2}) = a + b[1] * b[2]
function long(a::Vararg{Int,2})
    return a[1] * a[2]
end

struct Pair2
    both::NTuple{2,Int}
    Pair2(a::Vararg{Int,2}) = new(a)
end
struct Some
    n::Int
end
Some(a::Vararg{Float64,N}) where {N} = Some(N)


# The count decides between methods.
chosen(a::Vararg{Int,1}) = 1
chosen(a::Vararg{Int,2}) = 2

function values(o)
    anonymous = (a::Vararg{Int,2}) -> a[1] + 2a[2]
    inner(a::Vararg{Int,3}) = sum(a) * 10
    o[1] = three(1, 2, 3)
    o[2] = none()
    o[3] = any_number(1, 2, 3)
    o[4] = counted(1f0, 2f0, 3f0)
    o[5] = indexed(CuStaticSharedArray(Float32, (2, 2)), 1, 1)
    o[6] = chosen(7)
    o[7] = anonymous(1, 2)
    o[8] = keyed(4, 6)
    o[9] = first_then(1, 2, 5)
    o[10] = long(4, 6)
    o[11] = sum(Pair2(3, 4).both)
    o[12] = chosen(7) + 8
    o[13] = Some(1.0, 2.0).n + chosen(1, 2)
    o[14] = inner(1, 2, 3)
    return
end

too_few(o) = (o[1] = three(1, 2); nothing)
too_many(o) = (o[1] = three(1, 2, 3, 4); nothing)
mixed(o) = (o[1] = same(1, 2.0); nothing)

at_top_level() = (Six, Three, TwentyFour)
const Six = three(1, 2, 3)
const Three = untyped(1, 2f0, "x")
const TwentyFour = long(4, 6)
