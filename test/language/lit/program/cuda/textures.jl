# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
# Textures: nearest, linear and cubic reads, address modes, channels and messages. Values by the CUDA C++ Programming Guide.
using CUDA
function read!(y, t::CuDeviceTexture{<:Any,1}, xs)
    i = threadIdx().x
    @inbounds y[i] = t[xs[i]]
    return
end
function reads(t, xs)
    y = CUDA.zeros(eltype(t), length(xs))
    @cuda threads=length(xs) read!(y, t, CuArray(xs))
    return Array(y)
end
a = Float32[10, 20, 40, 80]
xs = Float32[1, 4, 1.5, 2.25, -3, 9]
for source in (CuArray(a), CuTextureArray(a)), interpolation in (CUDA.NearestNeighbour(), CUDA.LinearInterpolation())
    println(reads(CuTexture(source; interpolation), xs))
end
# CHECK: Float32[10.0, 80.0, 20.0, 20.0, 10.0, 80.0]
# CHECK-NEXT: Float32[10.0, 80.0, 15.0, 25.0, 10.0, 80.0]
# CHECK-NEXT: Float32[10.0, 80.0, 20.0, 20.0, 10.0, 80.0]
# CHECK-NEXT: Float32[10.0, 80.0, 15.0, 25.0, 10.0, 80.0]
println(reads(CuTexture(CuArray(a); address_mode=CUDA.ADDRESS_MODE_BORDER), xs))
# CHECK-NEXT: Float32[10.0, 80.0, 20.0, 20.0, 0.0, 0.0]
u = Float32[0, 0.125, 0.5, 1.125, -0.125]
for mode in (CUDA.ADDRESS_MODE_WRAP, CUDA.ADDRESS_MODE_MIRROR, CUDA.ADDRESS_MODE_CLAMP)
    println(reads(CuTexture(CuArray(a); address_mode=mode, normalized_coordinates=true), u))
    println(reads(CuTexture(CuArray(a); interpolation=CUDA.LinearInterpolation(), address_mode=mode, normalized_coordinates=true), u))
end
# CHECK-NEXT: Float32[10.0, 10.0, 40.0, 10.0, 80.0]
# CHECK-NEXT: Float32[45.0, 10.0, 30.0, 10.0, 80.0]
# CHECK-NEXT: Float32[10.0, 10.0, 40.0, 80.0, 10.0]
# CHECK-NEXT: Float32[10.0, 10.0, 30.0, 80.0, 10.0]
# CHECK-NEXT: Float32[10.0, 10.0, 40.0, 80.0, 10.0]
# CHECK-NEXT: Float32[10.0, 10.0, 30.0, 80.0, 10.0]
# A B-spline of equal elements has their value; between two elements it weighs four by 1, 23, 23, 1 of 48.
println(round.(reads(CuTexture(CuArray(Float32[48, 48, 48, 48, 96]); interpolation=CUDA.CubicInterpolation()), Float32[1, 2.5, 3.5]), digits=3))
# CHECK-NEXT: Float32[48.0, 48.0, 49.0]
A = reshape(Float32.(1:24), 2, 3, 4)
t = CuTexture(CuTextureArray(A); interpolation=CUDA.LinearInterpolation())
println(size(t), " ", t, " ", Array(broadcast((i, t) -> t[i...], CuArray([(1.5, 2.0, 3.0), (1.0, 1.5, 4.0), (2.0, 3.0, 1.25)]), Ref(t))))
# CHECK-NEXT: (2, 3, 4) 2×3×4 1-channel CuTexture(::CuTextureArray) with eltype Float32 Float32[15.5, 20.0, 7.5]
pairs = CuArray([(Int16(i), Int16(2i)) for i in 1:3])
println(Array(broadcast((i, t) -> t[i], CuArray([1, 3, 7]), Ref(CuTexture(pairs)))))
# CHECK-NEXT: Tuple{Int16, Int16}[(1, 2), (3, 6), (3, 6)]
b = CuTextureArray{Float32,1}(undef, (4,))
copyto!(b, CuTextureArray(a))
println(reads(CuTexture(b), xs) == reads(CuTexture(a |> CuArray), xs), " ", sizeof(b))
# CHECK-NEXT: true 16
h = zeros(Float32, 4)
unsafe_copyto!(pointer(h), pointer(b), 4)
println(h == a)
# CHECK-NEXT: true
for wrong in (() -> CuTexture(pairs; interpolation=CUDA.LinearInterpolation()), () -> CuTexture(CuArray([1.0])), () -> CuTexture(CuArray(A)), () -> copyto!(b, Float32[1]),
    () -> CuTexture(t.parent; interpolation=CUDA.CubicInterpolation()), () -> CuTexture(b; address_mode=7))
    try wrong() catch e println(e isa DimensionMismatch ? "DimensionMismatch: " : "", e.msg) end
end
# CHECK-NEXT: only textures of Float16 and Float32 interpolate, not of Tuple{Int16, Int16}: use CUDA.NearestNeighbour()
# CHECK-NEXT: a texture has elements of 1, 2 or 4 channels of UInt8, UInt16, UInt32, Int8, Int16, Int32, Float16 or Float32, not of type Float64
# CHECK-NEXT: Only 1 or 2D CuArray objects can be wrapped in a texture
# CHECK-NEXT: DimensionMismatch: source and destination sizes must match
# CHECK-NEXT: Cubic interpolation is only implemented for 1 and 2D textures
# CHECK-NEXT: address_mode is one of CUDA.ADDRESS_MODE_CLAMP, _WRAP, _MIRROR and _BORDER, or a tuple of one for each dimension
