# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Instructions of sm_100: small floats, pairs of Float32.

using CUDA

# Codes of pairs of Float32, which come as bits so that NaN keeps its own.
function codes(out, bits, convert_pair::F) where {F}
    first, step = (blockIdx().x - 1) * blockDim().x + threadIdx().x, gridDim().x * blockDim().x
    for i in first:step:length(out)
        @inbounds out[i] = convert_pair((reinterpret(Float32, bits[2i-1]), reinterpret(Float32, bits[2i])))
    end
    return
end
e4m3(out, bits) = codes(out, bits, Blackwell.to_e4m3x2)
e5m2(out, bits) = codes(out, bits, Blackwell.to_e5m2x2)
e2m3(out, bits) = codes(out, bits, Blackwell.to_e2m3x2)
e3m2(out, bits) = codes(out, bits, Blackwell.to_e3m2x2)
e2m1(out, bits) = codes(out, bits, Blackwell.to_e2m1x2)
ue8m0_rz(out, bits) = codes(out, bits, x -> Blackwell.to_ue8m0x2(x, Val(:rz)))
ue8m0_rp(out, bits) = codes(out, bits, x -> Blackwell.to_ue8m0x2(x, Val(:rp)))

# Values of all pairs of codes, as bits: element 1 in the lower half.
function values(out, from::F, ::Type{C}) where {F,C}
    first, step = (blockIdx().x - 1) * blockDim().x + threadIdx().x, gridDim().x * blockDim().x
    for i in first:step:length(out)
        low, high = from((i - 1) % C)
        @inbounds out[i] = UInt32(reinterpret(UInt16, low)) | UInt32(reinterpret(UInt16, high)) << 16
    end
    return
end
from_e4m3(out) = values(out, Blackwell.from_e4m3x2, UInt16)
from_e5m2(out) = values(out, Blackwell.from_e5m2x2, UInt16)
from_e2m3(out) = values(out, Blackwell.from_e2m3x2, UInt16)
from_e3m2(out) = values(out, Blackwell.from_e3m2x2, UInt16)
from_e2m1(out) = values(out, Blackwell.from_e2m1x2, UInt8)
from_ue8m0(out) = values(out, Blackwell.from_ue8m0x2, UInt16)

# Each operation on pairs; element by element they are those of one float.
function packed(sums, differences, products, fused, a, b, c)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    if 2i <= length(a)
        x, y, z = (a[2i-1], a[2i]), (b[2i-1], b[2i]), (c[2i-1], c[2i])
        sums[2i-1], sums[2i] = Blackwell.add_f32x2(x, y)
        differences[2i-1], differences[2i] = Blackwell.sub_f32x2(x, y)
        products[2i-1], products[2i] = Blackwell.mul_f32x2(x, y)
        fused[2i-1], fused[2i] = Blackwell.fma_f32x2(x, y, z)
    end
    return
end
# A sum of a product, which must round twice.
function unfused(out, a, b, c)
    i = threadIdx().x
    x, y, z = (a[2i-1], a[2i]), (b[2i-1], b[2i]), (c[2i-1], c[2i])
    out[2i-1], out[2i] = Blackwell.add_f32x2(Blackwell.mul_f32x2(x, y), z)
    return
end
