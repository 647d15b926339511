# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Products of small matrices: one warp, D = A*B + C in every shape, type and layout.

using CUDA

# Layouts as numbers: 1 column-major, else row-major.
layout(::Val{1}) = WMMA.ColMajor
layout(::Val) = WMMA.RowMajor

function product(d, a, b, c, ::Val{shape}, ::Val{order}, sa, sb, sc) where {shape,order}
    conf = WMMA.Config{shape[1],shape[2],shape[3],eltype(d)}
    fa = WMMA.load_a(pointer(a), sa, layout(Val(order[1])), conf)
    fb = WMMA.load_b(pointer(b), sb, layout(Val(order[2])), conf)
    fc = WMMA.load_c(pointer(c), sc, layout(Val(order[3])), conf)
    fd = WMMA.mma(fa, fb, fc, conf)
    WMMA.store_d(pointer(d), fd, sc, layout(Val(order[3])), conf)
    return
end

bfloat_product(d, a, b, rest...) = product(d, reinterpret(BFloat16, a), reinterpret(BFloat16, b), rest...)

# Through shared memory, scaled by dotted calls, without C.
function scaled(d, a, b, alpha)
    conf = WMMA.Config{16,16,16,Float32}
    s = CuStaticSharedArray(Float16, (16, 16))
    t = CuStaticSharedArray(Float32, (16, 16))
    for k in threadIdx().x:32:256
        s[k] = a[k]
    end
    sync_threads()
    fa = WMMA.load_a(pointer(s), 16, WMMA.ColMajor, conf)
    fb = WMMA.load_b(pointer(b), 16, WMMA.ColMajor, conf)
    fd = WMMA.mma(alpha .* fa, fb, WMMA.fill_c(1f0, conf), conf)
    fd = max.(fd .- 2f0, 0f0)
    WMMA.store_d(pointer(t), fd, 16, WMMA.RowMajor, conf)
    sync_threads()
    for k in threadIdx().x:32:256
        d[k] = t[k]
    end
    return
end
