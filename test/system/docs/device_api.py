#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every name that docs/device_api.md lists compiles as it is written there, behind `using CUDA`, for both targets.

    device_api.py KILN REPOSITORY SCRATCH

USES says in which expression a name of the page is tried. A name of the page that no expression uses is an error, and so
is an expression with a name that the page does not have: the two cannot grow apart.
"""
import os
import re
import subprocess
import sys

CONFIG = "WMMA.Config{16,16,16,Float32}"
UA = "UnsafeAtomics"
# Expressions of two kernels. o is an array of UInt32 and p a pointer into it, x and y are UInt32, A and C arrays of Float16 and Float32, s and t in shared memory.
USES = [
    [
        "CUDA.popc(x)", "CUDA.clz(x)", "CUDA.ffs(x)", "CUDA.fns(x, 0, 1)", "CUDA.brev(x)", "CUDA.byte_perm(x, y, 0x00003210)", "CUDA.dp4a(x, y, x)",
        "CUDA.dp2a_lo(x, y, x)", "CUDA.dp2a_hi(x, y, x)", "CUDA.mul24(x, y)", "CUDA.sad(x, y, x)", "CUDA.lop3(x, y, x, Val(0xe8))", "CUDA.funnelshift_l(x, y, 3)",
        "CUDA.funnelshift_r(x, y, 3)", "CUDA.funnelshift_lc(x, y, 3)", "CUDA.funnelshift_rc(x, y, 3)",
        "CUDA.alloca(Float32, Val(4))", "CUDA.saturate(1f0)", "assume(x > 0)", "threadfence_block()", "threadfence()", "threadfence_system()",
        "CUDA.@atomic o[1] += x", "CUDA.atomic_add!(pointer(o), x)",
        *[f"{UA}.load(p, {UA}.{order}, {UA}.{scope})" for order in ("monotonic", "acquire", "seq_cst") for scope in ("block", "device", "system")],
        f"{UA}.store!(p, x, {UA}.release)", f"{UA}.modify!(p, +, x, {UA}.acq_rel, {UA}.device)", f"{UA}.cas!(p, x, y, {UA}.acq_rel, {UA}.acquire, {UA}.system)",
        f"{UA}.fence({UA}.seq_cst, {UA}.device)",
        *[f"{UA}.{name}!(p, x, {UA}.monotonic, {UA}.block)" for name in ("add", "sub", "and", "nand", "or", "xor", "max", "min", "xchg")],
        "Atomix.modify!(Atomix.IndexableRef(o, (1,)), +, x)", "Atomix.get(Atomix.IndexableRef(o, (1,)))", "Atomix.set!(Atomix.IndexableRef(o, (1,)), x)",
        "Atomix.swap!(Atomix.IndexableRef(o, (1,)), x)", "Atomix.replace!(Atomix.IndexableRef(o, (1,)), x, y)", "@atomic o[1] += x",
        "reinterpret(NTuple{4,VecElement{Float32}}, C)[1]", "unsafe_load(p, 1, Val(16))", "unsafe_store!(p, x, 1, Val(16))", "unsafe_cached_load(p, 1, Val(16))", "Const(o)[1]",
        "CUDA.hinted_load(p, 1, Val(:once))", "CUDA.hinted_load(p, 1, Val(:streaming))", "CUDA.hinted_store!(p, x, 1, Val(:plain))",
        "CUDA.grid_dependency_synchronize()", "CUDA.trigger_programmatic_launch_completion()",
        'ccall("llvm.nvvm.read.ptx.sreg.tid.x", llvmcall, Int32, ())' + " # ptx",
    ],
    [
        "CG.memcpy_async(CG.this_thread_block(), pointer(s), pointer(C), 64)", "CG.wait(CG.this_thread_block())", "CG.wait_prior(CG.this_thread_block(), 1)",
        "CUDA.hinted_copy!(reinterpret(LLVMPtr{UInt32,3}, pointer(s)), p, Val(:once))",
        "CG.pipeline_memcpy_async(pointer(s, 1), pointer(C, 1))", "CG.pipeline_commit()", "CG.pipeline_wait_prior(1)", "CG.pipeline_wait_all()",
        f"(a = WMMA.load_a(pointer(A), 16, WMMA.ColMajor, {CONFIG}))", f"(b = WMMA.load_b(pointer(A), 16, WMMA.RowMajor, {CONFIG}))",
        f"(c = WMMA.load_c(pointer(C), 16, WMMA.ColMajor, {CONFIG}))", f"(d = WMMA.mma(a, b, WMMA.fill_c(1f0, {CONFIG}), {CONFIG}))", "(d = max.(d .- 2f0, 0f0))",
        f"WMMA.store_d(pointer(C), d, 16, WMMA.ColMajor, {CONFIG})", "WMMA.llvm_wmma_load_a_col_m16n16k16_global_stride_f16(pointer(A), 16)",
        "WMMA.mma_sync(WMMA.Config{16,8,16,Float32}, Float16, h, ntuple(i -> h[i], 2), (1f0, 1f0, 1f0, 1f0))", "WMMA.ldmatrix(pointer(t), Val(1), Val(false))",
    ],
]
BEFORE = "    p = pointer(o)\n    s = CuStaticSharedArray(Float32, 64)\n    t = CuStaticSharedArray(UInt16, 256)\n    h = ntuple(i -> (VecElement(Float16(1)), VecElement(Float16(1))), 4)\n"
# Words of the page's code that are no names of the device library: arguments, types, instructions, Julia's own.
PLAIN = set("M N K T D A B I C R V f i d p x y n a b c address stride layout config value alpha max transposed order scope cmp new op old success group dst src bytes mask base "
            "offset selector lo hi shift condition Float16 Float32 VecElement NTuple LLVM2 half mma sync row col cp async sm_80 ld global nc v4 llvm nvvm docs examples "
            "wmma_matmul jl cs sm_90 hint programmatic_serialization UInt32 UInt64 using CUDA WMMA UnsafeAtomics Atomix Val reinterpret f0 2f0 row.col ccall llvmcall CG IndexableRef Config".split())


def names_of(text):
    """Dotted names in the page's code: spans and indented blocks."""
    spans = re.findall(r"`([^`\n]+)`", text)
    spans += [line.split("#")[0] for line in text.split("\n") if line.startswith("    ")]
    found = set()
    for span in spans:
        for name in re.findall(r"(?<![\w\"])@?\.?[A-Za-z_][\w!]*(?:\.@?[A-Za-z_][\w!]*)*", span):
            found.add(name)
    return found


def main():
    kiln, repository, scratch = sys.argv[1:4]
    os.makedirs(scratch, exist_ok=True)
    with open(os.path.join(repository, "docs", "device_api.md"), encoding="utf-8") as file:
        text = file.read()
    listed, bad = names_of(text), []
    used = set()
    for uses in USES:
        for use in uses:
            used |= names_of("`" + use.split(" # ")[0] + "`")
    tails = {name.split(".")[-1] for name in used} | {"." + name.split(".")[-1] for name in used} | {part for name in used for part in name.split(".")}
    for name in sorted(listed):
        # `Atomix.modify!(..)`, `get`, `set!`: a name behind others of its module; add! and store! stand in blocks of UnsafeAtomics.
        if name not in used and name.lstrip("@") not in PLAIN and not all(part.lstrip("@") in PLAIN for part in name.split(".") if part):
            if name in tails and name.lstrip(".").lstrip("@") in ("get", "set!", "swap!", "replace!", "acquire", "release", "acq_rel", "seq_cst", "device", "system", "sub!", "and!", "nand!", "or!",
                                                                "xor!", "max!", "min!", "xchg!", "load_b", "load_c", "atomic"):
                continue
            bad.append(f"docs/device_api.md lists `{name}`, and no expression of {os.path.basename(__file__)} uses it as it is written there")
    for name in sorted(used):
        if name not in listed and "." in name and name.split(".")[0] in ("CUDA", "WMMA", "CG", "Atomix") and name.split(".")[-1] not in listed and name != "CG.this_thread_block":
            bad.append(f"{os.path.basename(__file__)} uses `{name}`, which docs/device_api.md does not list")
    count = 0
    for target in ("ptx", "native"):
        for number, uses in enumerate(USES):
            uses = [u.split(" # ")[0] for u in uses if target == "ptx" or " # ptx" not in u]
            count += len(uses)
            path = os.path.join(scratch, f"device_api_{number}.jl")
            with open(path, "w", encoding="utf-8") as file:
                file.write("using CUDA\nfunction listed(o, x, y, A, C)\n" + BEFORE + "".join(f"    {use}\n" for use in uses) + "    return\nend\n")
            call = "listed(CuDeviceVector{UInt32,1}, UInt32, UInt32, CuDeviceVector{Float16,1}, CuDeviceVector{Float32,1})"
            done = subprocess.run([kiln, "compile", path, call, "--target", target, "--no-cache", "-o", os.devnull], capture_output=True, text=True)
            if done.returncode:
                bad.append(f"{target}: {done.stderr}")
    print("\n".join(bad))
    print(f"docs/device_api.md: {len(listed)} names in its code, {count} expressions compiled, {len(bad)} faults")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
