# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Conversions to BFloat16 keep subnormal numbers, also on processors whose own instruction flushes them to zero. The
# expected values were computed by shifting and rounding the bits.
#
# RUN: %kiln script --device cpu %s | %filecheck %s
# RUN: %kiln compile %s 'bits(CuDeviceVector{UInt16,1}, CuDeviceVector{Float32,1})' --target native --arch znver4 --emit asm -o - | %filecheck %s --check-prefix=CODE
# CODE-NOT: vcvtneps2bf16
# CODE: ret

using CUDA

function bits(o, x)
    i = threadIdx().x
    if i <= length(o)
        @inbounds o[i] = reinterpret(UInt16, Core.BFloat16(x[i]))
    end
    return
end

function main()
    x = CuArray(Float32[1, 1.0f-39, -1.0f-40, 1.00390625f0, 1.01171875f0, 3.4f38, 9.1835f-41, -0.0f0])
    o = CUDA.zeros(UInt16, 8)
    @cuda threads=8 bits(o, x)
    # CHECK: UInt16[0x3f80, 0x000b, 0x8001, 0x3f80, 0x3f82, 0x7f80, 0x0001, 0x8000]
    println(Array(o))
end
basename(PROGRAM_FILE) == "bfloat16.jl" && main()
