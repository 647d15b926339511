# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
# CUDA.alloc of three kinds, copies between addresses of the host and the device, memset, boxes, and wrong addresses.
using CUDA
T = Float64
data = rand(3, 4)
N = length(data)
typed(b, T) = b isa CUDA.HostMemory ? convert(Ptr{T}, b) : convert(CuPtr{T}, b)
for S in (CUDA.DeviceMemory, CUDA.HostMemory, CUDA.UnifiedMemory), D in (CUDA.DeviceMemory, CUDA.HostMemory, CUDA.UnifiedMemory)
    s = CUDA.alloc(S, sizeof(data))
    d = CUDA.alloc(D, sizeof(data))
    unsafe_copyto!(typed(s, T), pointer(data), N)
    unsafe_copyto!(typed(d, T), typed(s, T), N)
    ref = Array{T}(undef, N)
    unsafe_copyto!(pointer(ref), typed(d, T), N)
    print(ref == vec(data), " ", CUDA.is_managed(typed(s, T)), " ")
    CUDA.free(s)
    CUDA.free(d)
end
println()
# CHECK: true false true false true false true false true false true false true true true true true true{{ *}}
m = CUDA.alloc(CUDA.DeviceMemory, 40)
println(startswith(sprint(show, m), "DeviceMemory(40 bytes"), " ", sizeof(m))
# CHECK-NEXT: true 40
CUDA.memset(convert(CuPtr{UInt32}, m), 0x00000007, 10)
println(Int.(Array(unsafe_wrap(CuArray, convert(CuPtr{UInt32}, m), 10))))
# CHECK-NEXT: [7, 7, 7, 7, 7, 7, 7, 7, 7, 7]
try convert(Ptr{Int}, m) catch e println(e.msg) end
# CHECK-NEXT: cannot convert DeviceMemory to a CPU pointer: copy it by unsafe_copyto!
CUDA.free(m)
for wrong in (() -> unsafe_copyto!(convert(CuPtr{T}, m), pointer(data), 2), () -> unsafe_copyto!(pointer(data), CuPtr{T}(0x10), 1), () -> unsafe_copyto!(pointer(data), pointer(CuArray(data)), 13),
    () -> unsafe_copyto!(pointer(data), pointer(CuArray(data)), -1), () -> CUDA.alloc(CUDA.HostMemory, -1), () -> convert(CuPtr{T}, CUDA.alloc(CUDA.HostMemory, 8)))
    try println(wrong()) catch e println(typeof(e), ": ", replace(e.msg, r"0x[0-9a-f]{5,}" => "an address")) end
end
# CHECK-NEXT: ArgumentError: Attempt to use a freed reference.
# CHECK-NEXT: ArgumentError: no array of the program's holds 8 bytes at 0x10
# CHECK-NEXT: ArgumentError: no array of the program's holds 104 bytes at an address
# CHECK-NEXT: ArgumentError: tried to copy n=-1 elements, but n should be non-negative
# CHECK-NEXT: ArgumentError: CUDA.alloc of -1 bytes
# CHECK-NEXT: ArgumentError: Kiln maps no host memory into a GPU: copy it by unsafe_copyto! to memory of CUDA.alloc(CUDA.DeviceMemory, bytes)
# Unified memory has an address of the host, too.
u = CUDA.alloc(CUDA.UnifiedMemory, sizeof(data))
p = convert(Ptr{T}, u)
unsafe_copyto!(p, pointer(data), N)
unsafe_store!(p, 7.5, 2)
ref = zeros(N)
unsafe_copyto!(pointer(ref), p, N)
println(unsafe_load(p, 2), " ", ref[3:end] == data[3:end], " ", Array(unsafe_wrap(CuArray, convert(CuPtr{T}, u), 2))[2])
# CHECK-NEXT: 7.5 true 7.5
# A plane of a box.
a = collect(reshape(1:64, 4, 4, 4))
plane = zeros(Int, 4, 4)
CUDA.unsafe_copy3d!(pointer(plane), CUDA.HostMemory, pointer(CuArray(a)), CUDA.DeviceMemory, 4, 1, 4; srcPos=(1, 2, 1), srcPitch=32, srcHeight=4, dstPitch=32, dstHeight=1)
println(plane == a[:, 2, :])
# CHECK-NEXT: true
# A sum along a dimension that the array lacks is its copy.
println(accumulate(+, [1, 2]; dims=2), " ", Array(accumulate(+, CuArray([1, 2]); dims=2, init=5)), " ", last(3))
# CHECK-NEXT: [1, 2] [1, 2] 3
