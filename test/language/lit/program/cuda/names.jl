# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Names of CUDA.jl beside arrays and launches: pointers, kinds of memory, contexts, streams, batches, sorting.
#
# RUN: %kiln script --device cpu %s | %filecheck %s
using CUDA, Adapt, Random
# CHECK: CuPtr{Int64}(0x00000000deadbeef)
p = CuPtr{Int}(0xDEADBEEF)
println(p)
# CHECK-NEXT: (true, true, 0x0000000000000002, 3735928559)
println((p + 2 > p, CuPtr{Float32}(p) == p, (p + 2) - p, Int(p)))
try
    convert(Ptr{Int}, p)
catch e
    # CHECK-NEXT: ArgumentError: cannot convert a GPU pointer to a CPU pointer
    println(sprint(showerror, e))
end
A = CuArray([1, 2, 3])
# CHECK-NEXT: [2, 3]
println(Array(unsafe_wrap(CuArray, pointer(A, 2), 2)))
function doubled(p, n)
    i = threadIdx().x
    i <= n && unsafe_store!(p, 2 * unsafe_load(p, i), i)
    return
end
@cuda threads=3 doubled(pointer(A), 3)
# CHECK-NEXT: [2, 4, 6]
println(Array(A))
try
    unsafe_wrap(CuArray, CuPtr{Int}(64), 2)
catch e
    # CHECK-NEXT: ArgumentError: no array of the program's holds 16 bytes at 0x40
    println(sprint(showerror, e))
end
# CHECK-NEXT: (true, false, true)
println((Base.mightalias(A, view(A, 2:2)), Base.mightalias(view(A, 1:1), view(A, 2:2)), A isa StridedCuArray))
u = cu([1.0, 2.0]; unified=true)
# CHECK-NEXT: (Float32, true, true, true, false)
println((eltype(u), is_unified(u), is_unified(u .+ 1), is_unified(similar(u)), is_unified(cu([1]))))
# CHECK-NEXT: ArgumentError: Can only specify one of `device`, `unified`, or `host`
println(sprint(showerror, try cu([1]; host=true, device=true) catch e; e end))
# CHECK-NEXT: (true, true, true)
s = CuStream()
println((context() == current_context(), device() == CuDevice(0), stream!(() -> stream() == s, s)))
# CHECK-NEXT: (Float32[1.0, 2.0], 1)
# CHECK-NEXT: (Float32[2.0, 4.0], 2)
for batch in CuIterator((Float32[i, 2i], i) for i in 1:2)
    println((Array(batch[1]), batch[2]))
end
M = CuArray([3 1 2; 9 8 7])
# CHECK-NEXT: [3 5 1; 6 4 2]
println(Array(sortperm(M; dims=2)))
P = CuArray([0, 0, 0])
sortperm!(P, CuArray([2.5, 0.5, 1.5]); rev=true)
# CHECK-NEXT: [1, 3, 2]
println(Array(P))
# CHECK-NEXT: ([7 8 9; 2 1 3], [2 1 3; 7 8 9])
println((Array(reverse(M)), Array(reverse(M; dims=2))))
# CHECK-NEXT: [1, 4, 3, 2, 5]
println(Array(reverse!(CuArray([1, 2, 3, 4, 5]), 2, 4)))
# CHECK-NEXT: ArgumentError: dimension 3 is not 1 ≤ 3 ≤ 2
println(sprint(showerror, try reverse(M; dims=3) catch e; e end))
# CHECK-NEXT: [10, 20]
k = cufunction((x, y) -> (x[threadIdx().x] = y * threadIdx().x; return), Tuple{CuDeviceVector{Int,1},Int})
out = CUDA.zeros(Int, 2)
k(out, 10; threads=2)
println(Array(out))
# A struct of the program's own, without fields too, is what its methods of Adapt make of it.
struct OnHost end
struct OnDevice end
Adapt.adapt_storage(::CUDA.KernelAdaptor, ::OnHost) = OnDevice()
kind(::OnHost) = 1
kind(::OnDevice) = 2
tell(x, out) = (out[1] = kind(x isa Tuple ? x[1] : x); return)
# CHECK-NEXT: ([2], [2])
@cuda tell(OnHost(), out)
first_found = Array(out)[1:1]
@cuda tell((OnHost(), 1), out)
println((first_found, Array(out)[1:1]))
# CHECK-NEXT: ([0.0], [-1.0])
a = (x = CuArray([0.0]),)
b = deepcopy(a)
a.x .= -1
println((Array(b.x), Array(a.x)))
# Numbers of a kernel that seeds its generator, in a program.
function draw(out)
    Random.seed!(7)
    out[threadIdx().x] = rand(Int)
    return
end
x = CUDA.zeros(Int, 2)
y = CUDA.zeros(Int, 2)
@cuda threads=2 draw(x)
@cuda threads=2 draw(y)
# CHECK-NEXT: true
println(Array(x) == Array(y) && Array(x)[1] != Array(x)[2])
# CHECK-NEXT: true
code = IOBuffer()
@device_code_ptx io=code @cuda threads=2 draw(x)
println(length(String(take!(copy(code)))) > 100 && length(take!(code)) > 100)
# The code of what is running stays, however many definitions come in between.
function redefine()
    for n in 1:700
        @eval last_one(A) = (A[1] = $n; nothing)
        @eval @cuda last_one($out)
    end
    return Array(out)[1]
end
# CHECK-NEXT: 700
println(redefine())
# Arguments are adapted once a launch.
struct Counted
    n::Base.RefValue{Int}
end
Adapt.adapt_structure(to::CUDA.KernelAdaptor, c::Counted) = (c.n[] += 1; c.n[])
counted = Counted(Ref(0))
store(n, A) = (A[1] = n; return)
@cuda store(counted, out)
# CHECK-NEXT: (1, 1)
println((counted.n[], Array(out)[1]))
