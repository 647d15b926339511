# RUN: %kiln script --device cpu %s | %filecheck %s
# device_synchronize waits for all streams: those that the program holds, and those that it dropped.
using CUDA

function fill_slowly(a, v)
    for _ in 1:1000
        a[threadIdx().x] = v - 1
    end
    a[threadIdx().x] = v
    return
end
function is_written(x, v, stream)
    @cuda threads=64 stream=stream fill_slowly(x, v)
    stream = nothing
    CUDA.device_synchronize()
    return all(Array(x) .== v)
end
x = CUDA.zeros(64)
println(all(is_written(x, Float32(i), CuStream()) for i in 1:20))
# CHECK: true
held = CuStream()
println(all(is_written(x, Float32(-i), held) for i in 1:20))
# CHECK-NEXT: true
