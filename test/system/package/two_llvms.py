#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""two_llvms.py LIBKILN: one process holds libkiln.so, with its LLVM 22 inside, and llvmlite, which brings another LLVM; both compile and run code
by turns, also on threads of their own at the same time, and each gets its own results. Status 77 without llvmlite (Debian: python3-llvmlite)."""

import ctypes
import os
import sys
import threading

try:
    import llvmlite.binding as llvm
    from llvmlite import ir
except ImportError:
    other = "/usr/bin/python3"  # Debian's, where python3 is another one
    if sys.executable != other and os.path.realpath(sys.executable) != os.path.realpath(other) and os.path.exists(other):
        os.execv(other, [other, "-B", *sys.argv])
    print("skipped: llvmlite is not installed (Debian: python3-llvmlite)")
    sys.exit(77)

kiln = ctypes.CDLL(sys.argv[1])
handle, text = ctypes.c_void_p, ctypes.c_char_p
kiln.kiln_error_text.restype = text
kiln.kiln_error_text.argtypes = [handle]
kiln.kiln_artifact_data.restype = ctypes.POINTER(ctypes.c_char)
kiln.kiln_artifact_data.argtypes = [handle, ctypes.POINTER(ctypes.c_size_t)]
for name in ("kiln_artifact_free", "kiln_function_free", "kiln_session_close"):
    getattr(kiln, name).argtypes = [handle]
    getattr(kiln, name).restype = None


def call(name, *arguments):
    error = handle()
    if getattr(kiln, name)(*arguments, ctypes.byref(error)):
        sys.exit(f"{name}: {kiln.kiln_error_text(error).decode()}")


def kilns(session, factor):
    """x * factor by Kiln: on the CPU, and as PTX."""
    source = f"scaled(x) = x * {factor}\nkernel(y) = (y[1] = scaled(y[1]); return)\n".encode()
    call("kiln_load", session, b"program.jl", source, ctypes.c_size_t(len(source)))
    function, artifact, size = handle(), handle(), ctypes.c_size_t()
    call("kiln_prepare_function", session, b"scaled(Int64)", None, ctypes.byref(function))
    x, result = ctypes.c_int64(7), ctypes.c_int64()
    arguments = (ctypes.c_void_p * 1)(ctypes.addressof(x))
    call("kiln_function_call", function, arguments, ctypes.c_size_t(1), ctypes.byref(result))
    kiln.kiln_function_free(function)
    call("kiln_compile", session, b"kernel(CuDeviceVector{Int64,1})", b'{"target": "ptx"}', b"asm", ctypes.byref(artifact))
    data = kiln.kiln_artifact_data(artifact, ctypes.byref(size))
    ptx = ctypes.string_at(data, size.value)
    kiln.kiln_artifact_free(artifact)
    return result.value, b".entry" in ptx


llvm.initialize()
llvm.initialize_native_target()
llvm.initialize_native_asmprinter()


def llvmlites(factor):
    """The same by llvmlite."""
    integer = ir.IntType(64)
    module = ir.Module(f"m{factor}")
    function = ir.Function(module, ir.FunctionType(integer, [integer]), f"scaled{factor}")
    builder = ir.IRBuilder(function.append_basic_block())
    builder.ret(builder.mul(function.args[0], ir.Constant(integer, factor)))
    machine = llvm.Target.from_default_triple().create_target_machine(opt=2)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(str(module)), machine)
    engine.finalize_object()
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(engine.get_function_address(f"scaled{factor}"))(7)


wrong = []


def by_turns(first):
    session = handle()
    call("kiln_session_open", None, ctypes.byref(session))
    for factor in range(first, first + 10):
        if llvmlites(factor) != 7 * factor or kilns(session, factor) != (7 * factor, True):
            wrong.append(factor)
    kiln.kiln_session_close(session)


by_turns(2)


def only_kiln(first):
    session = handle()
    call("kiln_session_open", None, ctypes.byref(session))
    for factor in range(first, first + 10):
        if kilns(session, factor) != (7 * factor, True):
            wrong.append(factor)
    kiln.kiln_session_close(session)


threads = [threading.Thread(target=only_kiln, args=(100 * t,)) for t in (1, 2)]
for thread in threads:
    thread.start()
for factor in range(1000, 1020):  # llvmlite takes one thread at a time, Kiln any number
    if llvmlites(factor) != 7 * factor:
        wrong.append(factor)
for thread in threads:
    thread.join()
versions = ".".join(map(str, llvm.llvm_version_info))
print(f"LLVM {versions} of llvmlite beside Kiln's own: " + ("wrong results " + str(wrong) if wrong else "by turns and at the same time, all right"))
sys.exit(1 if wrong else 0)
