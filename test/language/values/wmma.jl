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

# Registers in the places that PTX documents for mma.sync.
word(::Type{Float16}, x) = (VecElement(x[1]), VecElement(x[2]))
word(::Type{BFloat16}, x) = UInt32(reinterpret(UInt16, x[1])) | UInt32(reinterpret(UInt16, x[2])) << 16
word(::Type{Float32}, x) = reinterpret(UInt32, x[1])
word(::Type{Float64}, x) = x[1]
word(::Type{<:Union{Int8,UInt8}}, x) = UInt32(x[1] % UInt8) | UInt32(x[2] % UInt8) << 8 | UInt32(x[3] % UInt8) << 16 | UInt32(x[4] % UInt8) << 24
function registers(d, a, b, c, ::Type{T}, ::Val{shape}, ::Val{na}, ::Val{nb}) where {T,shape,na,nb}
    lane = Int(threadIdx().x) - 1
    group, thread = lane >> 2, lane & 3
    p = T === Float64 ? 1 : 4 ÷ sizeof(T)
    fa = ntuple(r -> word(T, ntuple(i -> a[group+8*((r-1)&1)+1, thread*p+i+4p*((r-1)>>1)], Val(p))), Val(na))
    fb = ntuple(r -> word(T, ntuple(i -> b[thread*p+i+4p*(r-1), group+1], Val(p))), Val(nb))
    places = ntuple(e -> (group + 8 * ((e - 1) >> 1) + 1, 2thread + ((e - 1) & 1) + 1), Val(shape[1] ÷ 4))
    fc = map(at -> c[at[1], at[2]], places)
    fd = WMMA.mma_sync(WMMA.Config{shape[1],shape[2],shape[3],eltype(d)}, T, fa, fb, fc)
    for e in 1:length(places)
        d[places[e][1], places[e][2]] = fd[e]
    end
    return
end
bfloat_registers(d, a, b, rest...) = registers(d, reinterpret(BFloat16, a), reinterpret(BFloat16, b), rest...)

# A from row-major, B from row-major (so transposed) shared memory by ldmatrix.
function by_ldmatrix(d, a, b)
    lane = Int(threadIdx().x) - 1
    sa, sb = CuStaticSharedArray(Float16, (16, 16)), CuStaticSharedArray(Float16, (8, 16)) # [k, row], [column, k]
    for k in lane:32:255
        sa[k+1] = a[k>>4+1, k&15+1]
    end
    for k in lane:32:127
        sb[k+1] = b[k>>3+1, k&7+1]
    end
    sync_threads()
    fa = WMMA.ldmatrix(pointer(sa, (lane & 15) * 16 + 8 * (lane >> 4) + 1), Val(4))
    fb = WMMA.ldmatrix(pointer(sb, (lane & 15) * 8 + 1), Val(2), Val(true))
    halves(x) = (VecElement(reinterpret(Float16, x % UInt16)), VecElement(reinterpret(Float16, (x >> 16) % UInt16)))
    fd = WMMA.mma_sync(WMMA.Config{16,8,16,Float32}, Float16, map(halves, fa), map(halves, fb), (0f0, 0f0, 0f0, 0f0))
    for e in 1:4
        d[lane>>2+8*((e-1)>>1)+1, 2*(lane&3)+((e-1)&1)+1] = fd[e]
    end
    return
end
