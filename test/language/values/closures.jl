# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Closures see variables, not the values that they had. Expected values follow from Julia's manual, by hand.

struct Holder{F}
    f::F
end
apply(f) = f()
apply_twice(f) = f() + f()
apply_all(f, g) = 10f() + g()

#! closures(o)
function closures(o)
    s = 1
    h = () -> s
    s = 5
    put(o, 1, h())  #: i64(5)
    late = 0
    local taken
    for j in 1:3
        late += j
        j == 1 && (taken = () -> late)
    end
    put(o, 2, taken())  #: i64(6)
    around = 0
    all = 0
    for i in 1:3
        around += i
        now() = around
        all = 10all + now()
    end
    put(o, 3, all)  #: i64(136)
    x = 1
    g = () -> x
    x = 7
    both = () -> x
    put(o, 4, apply_all(g, both))  #: i64(77)
    put(o, 5, apply_twice(g))  #: i64(14)
    # A closure over a closure over a variable.
    inner = () -> x + 1
    outer = () -> 2 * inner()
    x = 20
    put(o, 6, outer())  #: i64(42)
    # Each round, and each let, has variables of its own.
    first = 0
    for i in 1:3
        v = i
        f = () -> v
        v += 10
        if i == 1
            first = f()
        end
    end
    put(o, 7, first)  #: i64(11)
    put(o, 8, sum(map(f -> f(), (let a = 1; () -> a; end, let a = 2; () -> a; end))))  #: i64(3)
    # Calls of what is made in place see the value of the time.
    acc = 1
    for i in 1:3
        acc = foldl((a, b) -> a + b * acc, (1, 2))
    end
    put(o, 9, acc)  #: i64(15)
    t = (1, 2, 3)
    for i in 1:2
        t = ntuple(k -> t[k] + t[1], Val(3))
    end
    put(o, 10, t[1] + 10t[2] + 100t[3])  #: i64(654)
    n = 2
    made = Holder(y -> y * n)
    put(o, 11, made.f(4))  #: i64(8)
    total = 0
    k = 0
    while k < 3
        k += 1
        scaled(y; by = k) = y * by
        total += scaled(10) + scaled(1; by = 2)
    end
    put(o, 12, total)  #: i64(66)
    # Of another type than when the closure was made.
    changing = 1
    reads = () -> changing
    changing = 2.5
    put(o, 13, reads())  #: f64(2.5)
    if s == 5
        assigned_later = 3
    end
    conditional = () -> assigned_later
    put(o, 14, conditional())  #: i64(3)
    before(y) = y + after
    after = 4
    put(o, 15, before(1))  #: i64(5)
    # A local of a loop's body begins unassigned in each round.
    seen = 0
    for i in 1:2
        if i == 1
            mine = 1
        end
        seen = 10seen + (@isdefined(mine) ? 1 : 2)
    end
    put(o, 16, seen)  #: i64(12)
    # A maker's closures keep their variables.
    make = q -> (() -> q + x)
    two = make(2)
    put(o, 17, two())  #: i64(22)
    return
end
