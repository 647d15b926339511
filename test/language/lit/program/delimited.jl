# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tables as text.
#
# RUN: %kiln script %s | %filecheck %s --match-full-lines
using DelimitedFiles
p = tempname()
writedlm(p, [1 2.5; 3 4])
#      CHECK: "1.0\t2.5\n3.0\t4.0\n"
println(repr(read(p, String)))
# CHECK-NEXT: [1.0 2.5; 3.0 4.0]
println(readdlm(p))
writedlm(p, ["a" 1; "b,c" 2], ',')
# CHECK-NEXT: "a,1\n\"b,c\",2\n"
println(repr(read(p, String)))
# CHECK-NEXT: Any["a" 1.0; "b,c" 2.0]
println(Any[x isa Number ? x : String(x) for x in readdlm(p, ',')])
# CHECK-NEXT: ["a" "1"; "b,c" "2"]
println(readdlm(p, ',', String))
write(p, "x,y\n1,2\n3,4\n")
data, header = readdlm(p, ','; header=true)
# CHECK-NEXT: [1.0 2.0; 3.0 4.0] x y
println(data, " ", join(header, " "))
# CHECK-NEXT: [1.0 2.0; 3.0 4.0] [1 2; 3 4]
println(readdlm(p, ',', Float64; skipstart=1), " ", readdlm(IOBuffer("1 2\n3 4\n"), Int))
write(p, "# c\n1 2 # d\n")
# CHECK-NEXT: [1.0 2.0]
println(readdlm(p; comments=true))
writedlm(p, [[1, 2], [3, 4]])
# CHECK-NEXT: "1\t2\n3\t4\n"
println(repr(read(p, String)))
open(p, "w") do io
    writedlm(io, 1:2)
    writedlm(io, [1 2], ';')
end
# CHECK-NEXT: "1\n2\n1;2\n"
println(repr(read(p, String)))
rm(p)
