# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Arrays over memory of other arrays, and pointers to strings. Values are those that Julia's manual gives these
# functions, and bits are from Python's struct.
#
# RUN: %kiln script %s | %filecheck %s
message(f) = try f() catch e sprint(showerror, e) end
storage = zeros(UInt8, 64)
offset = Int(mod(-UInt(pointer(storage)), 16)) + 4
W = unsafe_wrap(Array, Ptr{Float32}(pointer(storage) + offset), 4)
W .= [1, 2, 3, 4]
# CHECK: Vector{Float32} [0, 0, 128, 63, 0, 0, 0, 64] true 4
println(typeof(W), " ", Int.(storage[offset+1:offset+8]), " ", pointer(W) == pointer(storage) + offset, " ", UInt(pointer(W)) % 16)
storage[offset+4] = 0xbf
# CHECK-NEXT: Float32[-1.0, 2.0, 3.0, 4.0] 8.0
println(W, " ", sum(W))
A = collect(1.0:12.0)
M = unsafe_wrap(Matrix{Float64}, pointer(A, 3), (2, 3))
M[2, 3] = 80
M[:, 1] .*= 10
# CHECK-NEXT: [30.0 5.0 7.0; 40.0 6.0 80.0] [1.0, 2.0, 30.0, 40.0, 5.0, 6.0, 7.0, 80.0, 9.0, 10.0, 11.0, 12.0]
println(M, " ", A)
# A pointer into the whole array still finds it, beyond the end of the part.
# CHECK-NEXT: 12.0 2.0 (3,) Array{Float64, 3}
println(unsafe_load(pointer(A), 12), " ", unsafe_load(pointer(M), 0), " ", size(unsafe_wrap(Vector{Float64}, pointer(A), Int32(3))), " ", typeof(unsafe_wrap(Array{Float64}, pointer(A), (1, 2, 3))))
# The part keeps its memory. One that grows gets memory of its own.
part(n) = (x = collect(1:n); unsafe_wrap(Array, pointer(x, 2), n - 2))
p = part(1000)
q = unsafe_wrap(Array, pointer(A), 2)
push!(q, 7)
q[1] = -1
# CHECK-NEXT: 499499 [-1.0, 2.0, 7.0] 1.0 Int64[]
println(sum(p), " ", q, " ", A[1], " ", unsafe_wrap(Array, pointer(p), 0))
# Compiled loops over parts that overlap.
shift!(to, from) = (for i in eachindex(from); to[i] = from[i] + 1; end; to)
B = zeros(Int, 10000)
(x, y) = (unsafe_wrap(Array, pointer(B, 2), 9999), unsafe_wrap(Array, pointer(B), 9999))
shift!(x, y) # each element reads the one before it
# CHECK-NEXT: 9999 49995000 true
println(B[end], " ", sum(B), " ", B == 0:9999)
x .= 2 .* y # the source is copied first
y .= x
# CHECK-NEXT: 19996 0
println(B[9999], " ", B[1])
reinterpret(Int32, x)[1] = -5
# CHECK-NEXT: 4294967291
println(B[2])
# CHECK-NEXT: ArgumentError: unsafe_wrap: pointer 0x{{[0-9a-f]+}} is not properly aligned to 8 bytes
println(message(() -> unsafe_wrap(Array, Ptr{Float64}(pointer(storage) + 4), 1)))
# CHECK-NEXT: ArgumentError: no array of the program is at the address of Ptr{Float64}
println(message(() -> unsafe_wrap(Array, pointer(A, 3), 11)))
# CHECK-NEXT: ArgumentError: unsafe_wrap: own=true takes memory from malloc, which a program of Kiln has not
println(message(() -> unsafe_wrap(Array, pointer(A), 2; own=true)))
# CHECK-NEXT: ArgumentError: invalid Array dimensions
println(message(() -> unsafe_wrap(Array, pointer(A), -1)))

s = "Grüße, a longer text than a few bytes"
# CHECK-NEXT: Ptr{UInt8} 71 195 188 0
println(typeof(pointer(s)), " ", Int(unsafe_load(pointer(s))), " ", Int(unsafe_load(pointer(s, 3))), " ", Int(unsafe_load(pointer(s), 4)), " ", Int(unsafe_load(pointer(s), ncodeunits(s) + 1)))
# CHECK-NEXT: Grüße, a longer text than a few bytes üß ße, a longer
println(unsafe_string(pointer(s)), " ", unsafe_string(pointer(s) + 2, 4), " ", unsafe_string(pointer(SubString(s, 5)), 13))
buffer = UInt8[0x41, 0x42]
l = length(buffer)
resize!(buffer, l + sizeof(s))
unsafe_copyto!(pointer(buffer, l + 1), pointer(s, 1), sizeof(s))
push!(buffer, 0x00)
# CHECK-NEXT: ABGrüße, a longer text than a few bytes ABGr true
println(unsafe_string(pointer(buffer)), " ", unsafe_string(pointer(buffer), 4), " ", unsafe_wrap(Vector{UInt8}, s) == codeunits(s))
# CHECK-NEXT: ArgumentError: cannot convert NULL to string
println(message(() -> unsafe_string(Ptr{UInt8}(0))))
# CHECK-NEXT: ArgumentError: no array of the program is at the address of
println(message(() -> unsafe_store!(pointer(s), 0x41)))
# CHECK-NEXT: ArgumentError: no array of the program is at the address of
println(message(() -> unsafe_string(pointer(s), 100)))
# CHECK-NEXT: {{^}}short abc{{$}}
println(unsafe_string(pointer("short")), " ", (t = "abc"; GC.@preserve t unsafe_string(Base.unsafe_convert(Ptr{UInt8}, t))))
