# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# redirect_stdout, of what programs and kernels print; mktemp; what only the top level defines, within a testset.
#
# RUN: %kiln script --device cpu %s | %filecheck %s
using CUDA, Test
function greet()
    @cuprintf("from thread %d\n", Int32(threadIdx().x))
    return
end
# CHECK: ("before\nfrom thread 1\nafter\n", 7)
println(mktemp() do path, io
    value = redirect_stdout(io) do
        println("before")
        @cuda greet()
        synchronize()
        println("after")
        7
    end
    (read(path, String), value)
end)
# CHECK-NEXT: ("text\n", "inner")
println(let io = IOBuffer(), inner = IOBuffer()
    redirect_stdout(io) do
        println("text")
        redirect_stdout(() -> print("inner"), inner)
    end
    (String(take!(io)), String(take!(inner)))
end)
redirect_stdout(() -> println("lost"), devnull)
# CHECK-NEXT: on the output again
println("on the output again")
@testset "definitions" begin
    struct Half
        value::Float64
    end
    Base.:+(a::Half, b::Half) = Half(a.value + b.value)
    (h::Half)(x) = h.value * x
    using Statistics: mean
    name = gensym("made")
    made = @eval begin
        struct $name
            x::Int
        end
        $name
    end
    # CHECK: definitions | 4 4
    @test (Half(1.0) + Half(2.0)).value == 3.0
    @test Half(3.0)(2) == 6.0
    @test mean([1, 3]) == 2.0
    @test made(4).x == 4
end
