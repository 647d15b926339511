# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A file that is one large module is opened by its index in the second process, as a package is. The results do not change.
#
# RUN: rm -rf %t.cache && cp %s %t.jl && sed -i 's/^end # module$//' %t.jl
# RUN: seq 400 | sed 's/.*/unused_&(x) = x + &/' >> %t.jl && echo 'end # module' >> %t.jl
# RUN: %kiln compile -vv %t.jl 'Large.all()' --target native --emit llvm --cache %t.cache > %t.first 2> %t.first_log
# RUN: not grep 'opened by its index' %t.first_log
# RUN: %filecheck %s < %t.first
# RUN: %kiln compile -vv %t.jl 'Large.all()' --target native --emit llvm --cache %t.cache > %t.second 2> %t.second_log
# RUN: diff %t.first %t.second
# RUN: %filecheck %s --check-prefix=FOLLOWS < %t.second_log
# FOLLOWS: large_module.jl.tmp.jl` is opened by its index: {{4[0-9]+}} statements of 1 files wait
#
# The index has nothing to do with another text.
# RUN: sed -i 's/+ 1000/+ 3000/' %t.jl
# RUN: %kiln compile -vv %t.jl 'Large.all()' --target native --emit llvm --cache %t.cache 2>&1 | %filecheck %s --check-prefix=CHANGED
# CHANGED-NOT: opened by its index
# CHANGED: ret i64 3812
#
# Without the method that another replaces, no two signatures are equal, and statements run in any order.
# RUN: sed -i '/^last_of(x) = 1$/d' %t.jl
# RUN: %kiln compile -vv %t.jl 'Large.all()' --target native --emit llvm --cache %t.cache 2>&1 | %filecheck %s --check-prefix=CHANGED
# RUN: %kiln compile -vv %t.jl 'Large.all()' --target native --emit llvm --cache %t.cache 2>&1 | %filecheck %s --check-prefix=UNIQUE
# UNIQUE: opened by its index
# UNIQUE: ret i64 3812
#
# A second statement in the file, or a small file, has no index.
# RUN: cp %t.jl %t.two.jl && echo 'beside(x) = x' >> %t.two.jl
# RUN: %kiln compile %t.two.jl 'beside(Int64)' --target native --emit llvm --cache %t.cache > /dev/null
# RUN: %kiln compile -vv %t.two.jl 'Large.all()' --target native --emit llvm --cache %t.cache 2>&1 | %filecheck %s --check-prefix=CHANGED
# RUN: %kiln compile %s 'Large.all()' --target native --emit llvm --cache %t.cache > /dev/null
# RUN: %kiln compile -vv %s 'Large.all()' --target native --emit llvm --cache %t.cache 2>&1 | %filecheck %s --check-prefix=SMALL
# SMALL-NOT: opened by its index
# SMALL: ret i64 1812

module Large

abstract type Shape end
struct Square <: Shape
    side::Int
end
area(s::Square) = s.side * s.side
for (name, step) in ((:first_of, 1), (:second_of, 2), (:third_of, 3))
    @eval $name(x::Int) = x + $step
    @eval $name(x) = 100 * $step
end
first_of(x::Square) = first_of(area(x)) # the same function, in another statement
second_of(x::Int8) = third_of(1.5) + 1000

# CHECK: ret i64 1812
all() = first_of(Square(2)) + second_of(Int8(1)) + third_of("text") + second_of(Square(3)) + last_of(1) + last_of(2.0)
last_of(x) = 1
last_of(x::Int) = 5
last_of(x::Float64) = 2
last_of(x) = 3
end # module
