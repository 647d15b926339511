# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A kernel that uses an array, a dictionary or a list of the host is refused when it is compiled, on every device.
#
# RUN: %kiln script --device cpu %s 2>&1 | %filecheck %s
using CUDA
numbers = [11, 2, 3]
const fixed = [11, 2, 3]
const table = Dict(1 => 2)
words = ["a", "bcd"]
text = "hello"

makes_dict(y) = (d = Dict{Int,Int}(); d[1] = 2; y[1] = d[1]; return)
makes_array(y) = (a = zeros(Int, 3); y[1] = a[1]; return)
reads_numbers(y) = (y[1] = numbers[1]; return)
reads_fixed(y) = (y[1] = fixed[1]; return)
counts_fixed(y) = (y[1] = length(fixed); return)
reads_table(y) = (y[1] = table[1]; return)
asks_table(y) = (y[1] = haskey(table, 1); return)
reads_words(y) = (y[1] = length(words[1]); return)
reads_text(y) = (y[1] = length(text); return)
compares_text(y) = (y[1] = text == "hello" ? 7 : 8; return)

y = CuArray([0])
for kernel in (makes_dict, makes_array, reads_numbers, reads_fixed, counts_fixed, reads_table, asks_table, reads_words, reads_text, compares_text)
    try
        @cuda kernel(y)
        synchronize()
        println(kernel, ": ", Array(y))
    catch e
        println(kernel, ": ", first(split(sprint(showerror, e), '\n')))
    end
end
# CHECK: makes_dict: {{.*}}this makes a dictionary, for which a kernel has no memory
# CHECK: makes_array: {{.*}}this makes an array, for which a kernel has no memory
# CHECK: reads_numbers: {{.*}}this uses an array of the host, which a kernel cannot reach
# CHECK: reads_fixed: {{.*}}this uses an array of the host, which a kernel cannot reach
# CHECK: counts_fixed: {{.*}}this uses an array of the host, which a kernel cannot reach
# CHECK: reads_table: {{.*}}this uses a dictionary or an array of the host, which a kernel cannot reach
# CHECK: asks_table: {{.*}}this uses a dictionary or an array of the host, which a kernel cannot reach
# CHECK: reads_words: {{.*}}this uses a dictionary or an array of the host, which a kernel cannot reach
# CHECK: reads_text: [5]
# CHECK: compares_text: [7]
