# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines --strict-whitespace
# How arrays of the device, and what wraps them, print. Expected texts are those of Julia's Base.showarg, whose array's type is CuArray.
using CUDA, LinearAlgebra

const text = MIME"text/plain"()
say(x) = (show(stdout, text, x); println())
a = CuArray([1 2; 3 4])
say(a)
#      CHECK:2×2 CuArray{Int64, 2, CUDA.DeviceMemory}:
# CHECK-NEXT: 1  2
# CHECK-NEXT: 3  4
say(a')
# CHECK-NEXT:2×2 adjoint(::CuArray{Int64, 2, CUDA.DeviceMemory}) with eltype Int64:
# CHECK-NEXT: 1  3
# CHECK-NEXT: 2  4
say(transpose(CuArray([1.5, 2])))
# CHECK-NEXT:1×2 transpose(::CuArray{Float64, 1, CUDA.DeviceMemory}) with eltype Float64:
# CHECK-NEXT: 1.5  2.0
say(view(a, 1, :))
# CHECK-NEXT:2-element view(::CuArray{Int64, 2, CUDA.DeviceMemory}, 1, :) with eltype Int64:
# CHECK-NEXT: 1
# CHECK-NEXT: 2
say(view(a, 1:1, :))
# CHECK-NEXT:1×2 view(::CuArray{Int64, 2, CUDA.DeviceMemory}, 1:1, :) with eltype Int64:
# CHECK-NEXT: 1  2
say(view(a, :, 2))
# CHECK-NEXT:2-element CuArray{Int64, 1, CUDA.DeviceMemory}:
# CHECK-NEXT: 2
# CHECK-NEXT: 4
say(reshape(view(a, 1, :), 2, 1))
# CHECK-NEXT:2×1 reshape(view(::CuArray{Int64, 2, CUDA.DeviceMemory}, 1, :), 2, 1) with eltype Int64:
# CHECK-NEXT: 1
# CHECK-NEXT: 2
say(PermutedDimsArray(a, (2, 1)))
# CHECK-NEXT:2×2 PermutedDimsArray(::CuArray{Int64, 2, CUDA.DeviceMemory}, (2, 1)) with eltype Int64:
# CHECK-NEXT: 1  3
# CHECK-NEXT: 2  4
say(view(a, :, 2)')
# CHECK-NEXT:1×2 adjoint(::CuArray{Int64, 1, CUDA.DeviceMemory}) with eltype Int64:
# CHECK-NEXT: 2  4
say(view(a, 1, :)')
# CHECK-NEXT:1×2 adjoint(view(::CuArray{Int64, 2, CUDA.DeviceMemory}, 1, :)) with eltype Int64:
# CHECK-NEXT: 1  2
say(UpperTriangular(a))
# CHECK-NEXT:2×2 UpperTriangular{Int64, CuArray{Int64, 2, CUDA.DeviceMemory}}:
# CHECK-NEXT: 1  2
# CHECK-NEXT: ⋅  4
say(Diagonal(CuArray([1, 20])))
# CHECK-NEXT:2×2 Diagonal{Int64, CuArray{Int64, 1, CUDA.DeviceMemory}}:
# CHECK-NEXT: 1   ⋅
# CHECK-NEXT: ⋅  20
say(Symmetric(a))
# CHECK-NEXT:2×2 Symmetric{Int64, CuArray{Int64, 2, CUDA.DeviceMemory}}:
# CHECK-NEXT: 1  2
# CHECK-NEXT: 2  4
say(LowerTriangular([1.5 2; 3 40]))
# CHECK-NEXT:2×2 LowerTriangular{Float64, Matrix{Float64}}:
# CHECK-NEXT: 1.5    ⋅ 
# CHECK-NEXT: 3.0  40.0
say(CuArray{Float32}(undef, 0, 3))
# CHECK-NEXT:0×3 CuArray{Float32, 2, CUDA.DeviceMemory}
say(cu([1]; unified=true))
# CHECK-NEXT:1-element CuArray{Int64, 1, CUDA.UnifiedMemory}:
# CHECK-NEXT: 1
println(a', " ", view(a, 1, :), " ", transpose(a), " ", CuArray(Float32[1, 2]), " ", UpperTriangular(a))
# CHECK-NEXT:[1 3; 2 4] [1, 2] [1 3; 2 4] Float32[1.0, 2.0] [1 2; 0 4]
println(summary(a'), " | ", summary(view(a, 1, :)), " | ", summary(transpose(CuArray([1, 2, 3]))))
# CHECK-NEXT:2×2 adjoint(::CuArray{Int64, 2, CUDA.DeviceMemory}) with eltype Int64 | 2-element view(::CuArray{Int64, 2, CUDA.DeviceMemory}, 1, :) with eltype Int64 | 1×3 transpose(::CuArray{Int64, 1, CUDA.DeviceMemory}) with eltype Int64
say(CuArray([1.0 + 2.0im, 3.0]))
# CHECK-NEXT:2-element CuArray{ComplexF64, 1, CUDA.DeviceMemory}:
# CHECK-NEXT: 1.0 + 2.0im
# CHECK-NEXT: 3.0 + 0.0im
