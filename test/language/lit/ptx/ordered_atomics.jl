# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Orderings and scopes of atomic operations are in the instruction; a sequentially consistent one has a fence in front.
#
# RUN: %kiln compile %s 'words(CuDeviceVector{Int32,1})' --target ptx -g0 -o %t.32.ptx
# RUN: %filecheck %s --check-prefix=WORDS < %t.32.ptx
# WORDS: ld.acquire.gpu.global.b32
# WORDS: st.release.sys.global.b32
# WORDS: atom.relaxed.gpu.global.add.u32
# WORDS: atom.acquire.cta.global.max.s32
# WORDS: atom.release.sys.global.and.b32
# WORDS: atom.acq_rel.gpu.global.exch.b32
# WORDS: fence.sc.sys;

# WORDS: atom.acq_rel.sys.global.cas.b32
# WORDS: fence.acq_rel.cta;
# WORDS: fence.sc.gpu;
#
# RUN: %kiln compile %s 'words(CuDeviceVector{UInt64,3})' --target ptx -g0 | %filecheck %s --check-prefix=SHARED
# SHARED: ld.acquire.gpu.shared.b64
# SHARED: atom.relaxed.gpu.shared.add.u64
# SHARED: atom.acquire.cta.shared.max.u64
#
# RUN: %kiln compile %s 'sums(CuDeviceVector{Float32,1})' --target ptx -g0 | %filecheck %s --check-prefix=F32
# F32: atom.release.gpu.global.add.f32
# F32: [[LOOP:\$L__BB[0-9_]+]]:
# F32: atom.acq_rel.cta.global.cas.b32
# F32: bra [[LOOP]]
# RUN: %kiln compile %s 'sums(CuDeviceVector{Float64,1})' --target ptx -g0 | %filecheck %s --check-prefix=F64
# F64: atom.release.gpu.global.add.f64
# RUN: %kiln compile %s 'sums(CuDeviceVector{Float16,1})' --target ptx -g0 | %filecheck %s --check-prefix=F16
# F16: atom.release.gpu.global.add.noftz.f16
# F16: atom.acq_rel.cta.global.cas.b16
# RUN: %kiln compile %s 'sums(CuDeviceVector{BFloat16,1})' --target ptx -g0 | %filecheck %s --check-prefix=BF16
# BF16: atom.release.gpu.global.add.noftz.bf16
# RUN: %kiln compile %s 'sums(CuDeviceVector{BFloat16,1})' --target ptx --arch sm_80 -g0 | %filecheck %s --check-prefix=BF16OLD
# BF16OLD: atom.release.gpu.global.cas.b16
# RUN: %kiln compile %s 'sums(CuDeviceVector{Int16,1})' --target ptx -g0 | %filecheck %s --check-prefix=I16
# I16: atom.release.gpu.global.cas.b16
# RUN: %kiln compile %s 'sums(CuDeviceVector{UInt8,1})' --target ptx -g0 | %filecheck %s --check-prefix=I8
# I8: atom.release.gpu.global.cas.b16
# RUN: %kiln compile %s 'sums(CuDeviceVector{UInt128,1})' --target ptx -g0 -o %t.128.ptx
# RUN: %filecheck %s --check-prefix=I128 < %t.128.ptx
# I128: atom.release.gpu.global.cas.b128
# RUN: %status 1 %kiln compile %s 'sums(CuDeviceVector{UInt128,1})' --target ptx --arch sm_80 2>&1 | %filecheck %s --check-prefix=OLD
# OLD: a compare-and-swap of 128 bits needs sm_90 or later
# RUN: %status 1 %kiln compile %s 'wrong(CuDeviceVector{Int32,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=WRONG
# RUN: %status 1 %kiln compile %s 'wrong(CuDeviceVector{Int32,1})' --target native 2>&1 | %filecheck %s --check-prefix=WRONG
# WRONG: a load can acquire, but not release

using CUDA
using CUDA: AS
using UnsafeAtomics: UnsafeAtomics, monotonic, acquire, release, acq_rel, seq_cst, block, device, system

function words(a)
    p = pointer(a)
    x = UnsafeAtomics.load(p, acquire, device)
    UnsafeAtomics.store!(p, x, release, system)
    UnsafeAtomics.add!(p, 1, monotonic)
    UnsafeAtomics.max!(p, 7, acquire, block)
    UnsafeAtomics.and!(p, 7, release, system)
    y = UnsafeAtomics.xchg!(p, 3, acq_rel, device)
    z = UnsafeAtomics.cas!(p, y, x, seq_cst, seq_cst, system)
    UnsafeAtomics.fence(acquire, block)
    UnsafeAtomics.fence()
    @inbounds a[2] = z.old
    return
end

function sums(a)
    UnsafeAtomics.modify!(pointer(a), +, 1, release, device)
    UnsafeAtomics.modify!(pointer(a), *, 2, acq_rel, block)
    return
end

function wrong(a)
    @inbounds a[2] = UnsafeAtomics.load(pointer(a), release)
    return
end
