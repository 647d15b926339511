# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What must fail, at run time (with kind, thread and line) or when it is compiled (naming what is wrong).

#! bounds(zeros(Float32, 4); 5): status 1: BoundsError\[108\]: thrown in thread \(1, 1, 1\) of block \(1, 1, 1\)[\s\S]*errors\.jl:6
bounds(A, i) = (A[i] = 1; nothing)

#! bounds_read(zeros(Float32, 4); 0): status 1: BoundsError[\s\S]*errors\.jl:10
function bounds_read(A, i)
    A[1] = A[i]
    return
end

#! bounds_matrix(zeros(Float32, 2, 3); 3; 1): status 1: BoundsError
function bounds_matrix(A, i, j)
    A[i, j] = 1
    return
end
#! bounds_columns(zeros(Float32, 2, 3); 1; 4): status 1: BoundsError
function bounds_columns(A, i, j)
    A[i, j] = 1
    return
end
#! bounds_tuple((1, 2); 3): status 1: BoundsError
function bounds_tuple(t, i)
    t[i] == 9 && error("never")
    return
end
#! bounds_negative(zeros(Int, 3); -1): status 1: BoundsError
function bounds_negative(A, i)
    A[i] = 1
    return
end
#! bounds_begin(zeros(Int, 3)): status 1: BoundsError
bounds_begin(A) = (A[begin-1] = 1; nothing)

#! inbounds_off(zeros(Int, 3); 3): status 0:
function inbounds_off(A, i)
    @inbounds A[i] = 1
    return
end

#! inexact_store(zeros(Int32, 2); 1.5): status 1: InexactError[\s\S]*errors\.jl:45
function inexact_store(A, x)
    A[1] = x
    return
end
#! inexact_narrow(zeros(Int32, 2); 1 << 40): status 1: InexactError
function inexact_narrow(A, x)
    A[1] = x
    return
end
#! inexact_sign(zeros(UInt8, 2); -1): status 1: InexactError
function inexact_sign(A, x)
    A[1] = x
    return
end
#! inexact_call(1 << 31): status 1: InexactError
function inexact_call(x)
    Int32(x) == 0 && return
    return
end
#! inexact_nan(NaN): status 1: InexactError
function inexact_nan(x)
    trunc(Int, x) == 0 && return
    return
end
#! inexact_range(1e19): status 1: InexactError
function inexact_range(x)
    round(Int, x) == 0 && return
    return
end
#! inexact_bool(2): status 1: InexactError
function inexact_bool(x)
    Bool(x) && return
    return
end
#! inexact_union(zeros(Int, 1); 2.5): status 1: InexactError
function inexact_union(A, x)
    s = 0
    for i in 1:3
        s += x
    end
    A[1] = s
    return
end
#! divide_zero(7; 0): status 1: DivideError
function divide_zero(a, b)
    a ÷ b == 0 && return
    return
end
#! remainder_zero(7; 0): status 1: DivideError
function remainder_zero(a, b)
    a % b == 0 && return
    return
end
#! divide_overflow(typemin(Int); -1): status 1: DivideError
function divide_overflow(a, b)
    div(a, b) == 0 && return
    return
end
#! negative_power(2; -1): status 1: DomainError
function negative_power(a, b)
    a^b == 0 && return
    return
end
#! zero_step(1; 0; 5): status 1: ArgumentError\[107\]: the step
function zero_step(a, s, b)
    for i in a:s:b
        i == 3 && return
    end
    return
end
#! thrown(5): status 1: ErrorException\[114\]: bad value
function thrown(x)
    x > 3 && error("bad value")
    return
end
#! thrown_domain(5): status 1: DomainError
function thrown_domain(x)
    x > 3 && throw(DomainError(x, "too big"))
    return
end
#! asserted(5): status 1: AssertionError
function asserted(x)
    @assert x < 3
    return
end
#! asserted_text(5): status 1: AssertionError\[113\]: x is small
function asserted_text(x)
    @assert x < 3 "x is small"
    return
end
#! converts_local(2.5): status 1: InexactError
function converts_local(x)
    n::Int = 0
    n = x
    n == 0 && return
    return
end
#! returns_value(1): status 1: KernelError
returns_value(x) = x
#! no_method(1): status 1: MethodError: no method matching
function no_method(x)
    sqrt((x, x)) == 0 && return
    return
end
#! undefined_name(1): status 1: UndefVarError: .*undefined_thing
function undefined_name(x)
    undefined_thing(x)
    return
end
#! undefined_local(1): status 1: UndefVarError
function undefined_local(x)
    if x > 3
        value = 1
    end
    value == 1 && return
    return
end
#! non_boolean(1): status 1: TypeError: non-boolean
function non_boolean(x)
    if x
        return
    end
    return
end
#! string_building(zeros(Int, 1); 1): status 1:
function string_building(A, x)
    s = string(x, "a")
    A[1] = length(s)
    return
end
#! caught(zeros(Int, 1); 1): status 1:
function caught(A, x)
    try
        A[1] = x
    catch
        A[1] = 2
    end
    return
end

# A function of the user's with a check of its own, which @inbounds takes away.
Base.@propagate_inbounds function checked_get(A, i)
    @boundscheck checkbounds(A, i)
    return @inbounds A[i]
end
@inline function own_check(A, i)
    @boundscheck i == 2 && throw(BoundsError(A, i))
    return i
end
#! checked_read(zeros(Int, 3); 4): status 1: BoundsError
function checked_read(A, i)
    A[1] = checked_get(A, i)
    return
end
#! own_check_kept(zeros(Int, 3); 2): status 1: BoundsError
function own_check_kept(A, i)
    A[1] = own_check(A, i)
    return
end
#! own_check_gone(zeros(Int, 3); 2): status 0:
function own_check_gone(A, i)
    @inbounds A[1] = own_check(A, i)
    return
end
#! own_check_gone_in_block(zeros(Int, 3); 2): status 0:
function own_check_gone_in_block(A, i)
    @inbounds for k in 1:3
        A[k] = own_check(A, i)
    end
    return
end

#! no_label(1): status 1: @goto there, as there is no such label
function no_label(n)
    n > 0 && @goto there
    return
end
# What a loop carries is spoilt by a fault in it: the fault is reported all the same.
#! mixed_items(zeros(1)): status 1: dynamic function invocation: count_up
function mixed_items(A)
    z = 0
    for (k, v) in enumerate((3, 1f0))
        z += k * v
    end
    A[1] = z
    return
end

#! shared_size(zeros(1); 5): status 1: a parameter of a type must be known when the kernel is compiled, but this Int64 is a value of the run[\s\S]*CuDynamicSharedArray
function shared_size(A, n)
    t = CuStaticSharedArray(Float32, n)
    A[1] = t[1]
    return
end
const UNTYPED = Any[sin, cos]
#! untyped_table(zeros(1); 1): status 1: getindex\(::Array[\s\S]*an Array is memory of the host
function untyped_table(A, n)
    A[1] = UNTYPED[n](0.0)
    return
end
struct HoldsVector
    items::Vector{Float64}
end
#! held_array(HoldsVector([1.0])): status 1: holds a host array and cannot be passed to a kernel[\s\S]*parameter of the struct
function held_array(h)
    return
end

# Objects that a loop makes anew and that more than one variable may know: each would need memory of its own.
mutable struct Counter
    n::Int
end
#! known_before(zeros(1); 3): status 1: heap allocation of mutable struct Counter
function known_before(A, n)
    a = Counter(0)
    first = a
    for i in 1:n
        a = Counter(i)
    end
    A[1] = a.n + first.n
    return
end
#! known_twice(zeros(1); 3): status 1: heap allocation of mutable struct Counter
function known_twice(A, n)
    a, b = Counter(0), Counter(1)
    for i in 1:n
        c = Counter(i)
        a, b = c, isodd(i) ? c : b
    end
    b.n += 1
    A[1] = a.n
    return
end
