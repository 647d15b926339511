# RUN: sh -c "printf '2\n1 2 3\n4 5 6\n1.5\n2.5\n\n4\n' | %kiln script --device cpu %s" | %filecheck %s
# What a program reads from its standard input.
n = parse(Int, readline())
M = [parse.(Int, split(readline())) for _ in 1:n]
# CHECK: {{\[\[1, 2, 3\], \[4, 5, 6\]\]}} 21
println(M, " ", sum(sum, M))
first_line = first(eachline())
lines = readlines()
# CHECK-NEXT: 1.5 ["2.5", "", "4"]
println(first_line, " ", lines)
# CHECK-NEXT: [2.5, 4.0] [1.0, 2.0] [1.0 2.0; 3.0 4.0] abc true
println(parse.(Float64, filter(!isempty, lines)), " ", float([1, 2]), " ", float([1 2; 3 4]), " ", ascii("abc"), " ", eof(stdin))
