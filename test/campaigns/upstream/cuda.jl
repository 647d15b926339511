# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# In the place of CUDA.jl's test/setup.jl and test/helpers.jl: what its tests use of them.
using Test, Random, LinearAlgebra, Printf
using CUDA, GPUArrays, Adapt
using CUDA: i32

const sanitize = false
can_use_cupti() = false

# testf(f, xs...): f of host arrays and f of CuArrays give the same.
module TestSuite
using Adapt, CUDA
module Compare end
as_host(x) = x isa Base.RefValue ? x[] : deepcopy(x)
as_device(T, x) = x isa Base.RefValue ? x[] : adapt(T, x)
function compare(f, T, xs...; keywords...)
    expected = f(map(as_host, xs)...)
    found = f(map(x -> as_device(T, x), xs)...)
    return same(expected, found; keywords...)
end
same(a::Number, b::Number; keywords...) = isapprox(a, b; keywords...)
same(a::Missing, b::Missing; keywords...) = true
same(a::Missing, b::Number; keywords...) = false
same(a::Number, b::Missing; keywords...) = false
function same(a::Tuple, b::Tuple; keywords...)
    length(a) == length(b) || return false
    for i in 1:length(a)
        same(a[i], b[i]; keywords...) || return false
    end
    return true
end
function same(a, b; keywords...)
    a isa AbstractArray && b isa AbstractArray || return a == b
    T = eltype(a)
    if eltype(b) === T && T <: Number
        return isapprox(collect(a), collect(b); keywords...)
    end
    return collect(a) == collect(b)
end
end
testf(f, xs...; keywords...) = TestSuite.compare(f, CuArray, xs...; keywords...)

# What the expression gave, and what it printed.
macro grab_output(ex)
    quote
        mktemp() do fname, fout
            ret = nothing
            open(fname, "w") do fout
                redirect_stdout(fout) do
                    ret = $(esc(ex))
                    synchronize()
                end
            end
            ret, read(fname, String)
        end
    end
end

# A kernel of one thread, made of the expression.
macro on_device(ex...)
    code = ex[end]
    keywords = ex[1:end-1]
    kernel = gensym("kernel")
    esc(quote
        let
            function $kernel()
                $code
                return
            end
            CUDA.@sync @cuda $(keywords...) $kernel()
        end
    end)
end

# A value that the optimizer has to keep.
@inline sink(i) = (v = Ref(i); v[])

# DataStructures' counter, to compare what arrays hold.
counter(A) = sort(vec(collect(A)))

julia_exec(arguments...) = error("there is no Julia to start")
