# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module Rules

export late, count_of

const table = Dict{Symbol,Int}()
table[:first] = 1
push!(nothing_of_that_name, 3)
error("stop here")
for i in 1:3
    table[Symbol(:k, i)] = i
end
"The text of a method."
late(x)
late(x) = x * 2
eval(:(made_by_eval(x) = x + 100))
@eval count_of(x) = $(length(table)) + x
end
