# RUN: %kiln script --device cpu %s 2>&1 | %filecheck %s
# The report of an exception names the line of the program, however deep in the library it was thrown.
using CUDA
function report(f, x)
    try
        @cuda f(CUDA.zeros(Int, 1), x)
        synchronize()
    catch e
        println(typeof(e))
    end
end
# CHECK: lines.jl:[[@LINE+1]]:{{[0-9]+}}: InexactError
report((v, x) -> (v[1] = x[1]; nothing), CuArray([1.5]))
# CHECK: lines.jl:[[@LINE+1]]:{{[0-9]+}}: InexactError
report((v, x) -> (v[1] = Int8(x[1]); nothing), CuArray([300]))
# CHECK: lines.jl:[[@LINE+1]]:{{[0-9]+}}: DivideError
report((v, x) -> (v[1] = div(1, x[1]); nothing), CuArray([0]))
# CHECK: lines.jl:[[@LINE+1]]:{{[0-9]+}}: OverflowError
report((v, x) -> (v[1] = Base.checked_mul(x[1], x[1]); nothing), CuArray([typemax(Int)]))
# CHECK: lines.jl:[[@LINE+1]]:{{[0-9]+}}: DomainError
report((v, x) -> (v[1] = x[1]^x[2]; nothing), CuArray([2, -1]))
# CHECK: lines.jl:[[@LINE+1]]:{{[0-9]+}}: AssertionError[113]: (its text has values of the run in it)
report((v, x) -> (@assert x[1] > 3 "x is $(x[1])"; nothing), CuArray([2.0]))
# CHECK: lines.jl:[[@LINE+1]]:{{[0-9]+}}: ErrorException[114]: (its text has values of the run in it)
report((v, x) -> (x[1] > 3 || error("x is ", x[1]); nothing), CuArray([2.0]))
# CHECK: lines.jl:[[@LINE+1]]:{{[0-9]+}}: ArgumentError[107]: (its text has values of the run in it)
report((v, x) -> (x[1] > 3 || throw(ArgumentError("x is ", x[1])); nothing), CuArray([2.0]))
# On the host the texts are whole, by the type's own show.
struct Named
    name::Symbol
end
Base.show(io::IO, n::Named) = print(io, "<", n.name, ">")
for f in (n -> (@assert false "it is $n"), n -> error("it is ", n), n -> throw(ArgumentError("it is $n")), n -> (@assert false n))
    try
        f(Named(:one))
    catch e
        println(sprint(showerror, e))
    end
end
# CHECK: AssertionError: it is <one>
# CHECK: {{^}}it is <one>
# CHECK: ArgumentError: it is <one>
# CHECK: AssertionError: <one>
