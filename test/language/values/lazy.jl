# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Base.Iterators by Julia's documentation: each in a loop, empty and not.

using Base.Iterators: takewhile, countfrom
using Base.Iterators

# The elements as the digits of a number: 1, 2, 3 is 123.
function joined(items)
    n = 0
    for x in items
        n = 10n + Int(x)
    end
    return n
end
function joined_until(items, limit)
    n = 0
    for x in items
        n = 10n + Int(x)
        n > limit && break
    end
    return n
end
present(x, y) = x > y ? missing : x

#! lazy1(o; 3; [1.0, 2.0, 3.0, 4.0, 5.0]; (1, 2))
function lazy1(o, n, v, t)
    put(o, 1, joined(Iterators.flatten((1:n, 4:5))))  #: i64(12345)
    put(o, 2, joined(Iterators.flatten(((1, 2), 3:n+1))))  #: i64(1234)
    put(o, 3, joined(Iterators.flatten((1:0, n:n, 1:0))))  #: i64(3)
    put(o, 4, joined(Iterators.flatten((1:k for k in 1:n))))  #: i64(112123)
    put(o, 5, joined(Iterators.flatten(())))  #: i64(0)
    put(o, 6, joined(Iterators.flatten((1, (2, 3)))))  #: i64(123)
    put(o, 7, length(Iterators.flatten(((1, 2), (n, 4)))))  #: i64(4)
    put(o, 8, joined(Iterators.flatmap(k -> (k, k), 1:n)))  #: i64(112233)
    put(o, 9, sum(Iterators.flatten(((1.5, 2.5), v))))  #: f64(19.0)
    put(o, 10, joined(sum(p) for p in Iterators.partition(1:5, 2)))  #: i64(375)
    put(o, 11, length(Iterators.partition(1:5, 2)))  #: i64(3)
    put(o, 12, joined(sum(p) for p in Iterators.partition(v, 3)))  #: i64(69)
    put(o, 13, joined(length(p) for p in Iterators.partition(v, 4)))  #: i64(41)
    put(o, 14, length(Iterators.partition(1:0, 2)))  #: i64(0)
    put(o, 15, joined(takewhile(x -> x < n, v)))  #: i64(12)
    put(o, 16, joined(takewhile(x -> x < 0, v)))  #: i64(0)
    put(o, 17, joined(Iterators.dropwhile(x -> x < n, v)))  #: i64(345)
    put(o, 18, joined(Iterators.dropwhile(x -> true, v)))  #: i64(0)
    put(o, 19, joined_until(Iterators.cycle(t), 1000))  #: i64(1212)
    put(o, 20, joined(Iterators.cycle(t, 3)))  #: i64(121212)
    put(o, 21, joined(Iterators.cycle(())))  #: i64(0)
    put(o, 22, joined(Iterators.take(Iterators.cycle(1:n), 7)))  #: i64(1231231)
    put(o, 23, joined_until(countfrom(2), 100))  #: i64(234)
    put(o, 24, joined(Iterators.take(countfrom(1, 2), 4)))  #: i64(1357)
    put(o, 25, joined(Iterators.take(countfrom(), 3)))  #: i64(123)
    put(o, 26, sum(Iterators.take(countfrom(0.5f0, 2), 3)))  #: f32(7.5)
    put(o, 27, joined(Iterators.repeated(n, 4)))  #: i64(3333)
    put(o, 28, length(Iterators.repeated(n, 4)))  #: i64(4)
    put(o, 29, joined(Iterators.repeated(n, 0)))  #: i64(0)
    put(o, 30, joined(Iterators.take(Iterators.repeated(n), 2)))  #: i64(33)
    put(o, 44, joined(Iterators.reverse(v)))  #: i64(54321)
    put(o, 45, sum(a * b for (a, b) in zip(v, Iterators.reverse(v))))  #: f64(35.0)
    put(o, 46, joined(Iterators.reverse(1:n)))  #: i64(321)
    (a, rest) = Iterators.peel(v)
    put(o, 31, a)  #: f64(1.0)
    put(o, 32, joined(rest))  #: i64(2345)
    put(o, 33, Iterators.peel(1:0) === nothing)  #: true
    put(o, 34, joined(Iterators.rest(1:n, 1)))  #: i64(23)
    put(o, 35, joined(skipmissing((1, missing, 3))))  #: i64(13)
    put(o, 36, sum(skipmissing(present(x, 2) for x in 1:n)))  #: i64(3)
    put(o, 37, sum(skipmissing((missing, missing))))  #: i64(0)
    put(o, 38, joined(Iterators.accumulate(+, 1:n)))  #: i64(136)
    put(o, 39, joined(Iterators.accumulate(+, 1:n; init=1)))  #: i64(247)
    put(o, 40, joined(Iterators.map(+, 1:n, v)))  #: i64(246)
    put(o, 41, only(n:n))  #: i64(3)
    put(o, 42, only((n,)))  #: i64(3)
    s = 0.0
    for (i, x) in zip(countfrom(10, 10), v)
        s += i * x
    end
    put(o, 43, s)  #: f64(550.0)
end
#! only_of_two(o; 3): status 1: ArgumentError
only_of_two(o, n) = (o[1] = only(1:n); return)
#! partition_of_none(o; 0): status 1: ArgumentError
partition_of_none(o, n) = (o[1] = length(Iterators.partition(1:3, n)); return)
