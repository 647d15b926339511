# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kiln from Python over kiln/c.h, as far as the seeds' workloads need it: kernels as handles, launched into a CUDA stream of the caller's
on memory of the caller's (torch's, say). Arrays are column-major: a row-major tensor comes with its dimensions reversed."""
import ctypes
import json
import struct
from concurrent.futures import ThreadPoolExecutor

P, N, U, I = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint, ctypes.c_int


class SessionOptions(ctypes.Structure):
    """The head of kiln_session_options: the library takes a shorter structure."""
    _fields_ = [("struct_size", N), ("timings", I), ("trace_events", I), ("dump_dir", ctypes.c_char_p), ("trace_jobs", ctypes.c_char_p), ("warm_up", ctypes.c_char_p),
                ("inference_budget", N), ("artifact_budget", N), ("cpu_threads", U), ("cpu_order", ctypes.c_uint64), ("cache_dir", ctypes.c_char_p)]


class Shape(ctypes.Structure):
    _fields_ = [("struct_size", N), ("blocks", U * 3), ("threads", U * 3), ("shared_bytes", ctypes.c_uint64), ("cluster", U * 3), ("cooperative", I),
                ("programmatic_serialization", I), ("time_limit", ctypes.c_double)]


class Resources(ctypes.Structure):
    _fields_ = [("struct_size", N)] + [(n, ctypes.c_uint32) for n in ("registers", "stack_bytes", "spill_store_bytes", "spill_load_bytes", "constant_bytes", "shared_bytes", "barriers")]


class Argument(ctypes.Structure):
    _fields_ = [("struct_size", N), ("kind", I), ("type", ctypes.c_char_p), ("dtype", ctypes.c_uint32), ("data", P), ("size", N), ("ndim", I), ("dims", P), ("strides", P)]


class LaunchOptions(ctypes.Structure):
    _fields_ = [("struct_size", N), ("device", ctypes.c_char_p), ("function", ctypes.c_char_p), ("blocks", U * 3), ("threads", U * 3), ("shared_bytes", ctypes.c_uint64),
                ("arguments", P), ("count", N), ("options_json", ctypes.c_char_p), ("stream", P), ("cooperative", I), ("cluster", U * 3), ("programmatic_serialization", I),
                ("time_limit", ctypes.c_double)]


class KilnError(Exception):
    pass


def array(pointer, *dims):
    """An array's header, as kernels take it: address, bytes are not looked at, dimensions, length."""
    length = 1
    for d in dims:
        length *= d
    return struct.pack(f"<QQ{len(dims)}qq", pointer, 1 << 62, *dims, length)


def scalar(form, value):
    return struct.pack("<" + form, value)


class Kernel:
    def __init__(self, kiln, handle, call):
        self.kiln, self.handle, self.call = kiln, handle, call

    def bind(self, blocks, threads, arguments, stream=None, **options):
        """A function without arguments that launches it so; its bytes are kept."""
        given = [ctypes.create_string_buffer(a, len(a)) for a in arguments]
        table = (P * len(given))(*[ctypes.addressof(g) for g in given])
        three = lambda x: (U * 3)(*(tuple(x) + (1, 1, 1))[:3] if isinstance(x, (tuple, list)) else (x, 1, 1))
        shape = Shape(struct_size=ctypes.sizeof(Shape), blocks=three(blocks), threads=three(threads), **{k: three(v) if k == "cluster" else v for k, v in options.items()})
        launch, handle, into, where, count, check = self.kiln.lib.kiln_kernel_launch, self.handle, stream or self.kiln.stream, ctypes.byref(shape), len(given), self.kiln.check
        error = P()
        told = ctypes.byref(error)

        def go():
            if launch(handle, into, where, table, count, told):
                check(1, error)
        go.keep = (given, shape, error)
        return go

    def resources(self):
        artifact, error = P(), P()
        self.kiln.check(self.kiln.lib.kiln_kernel_artifact(self.handle, ctypes.byref(artifact), ctypes.byref(error)), error)
        found = Resources(struct_size=ctypes.sizeof(Resources))
        self.kiln.check(self.kiln.lib.kiln_artifact_resources(artifact, ctypes.byref(found), ctypes.byref(error)), error)
        self.kiln.lib.kiln_artifact_free(artifact)
        return {"registers": found.registers, "spilled": found.spill_store_bytes + found.spill_load_bytes, "shared": found.shared_bytes}


class Kiln:
    def __init__(self, library, cuda_stream=None, device="cuda", cache_dir=""):
        self.lib = ctypes.CDLL(library)
        for name, arguments in (("kiln_session_open", [P, P, P]), ("kiln_load_file", [P, ctypes.c_char_p, P]), ("kiln_load", [P, ctypes.c_char_p, ctypes.c_char_p, N, P]),
                                ("kiln_device_open", [P, ctypes.c_char_p, P, P]), ("kiln_stream_of", [P, P, P, P, P]), ("kiln_stream_open", [P, P, P, P]),
                                ("kiln_prepare", [P, ctypes.c_char_p, ctypes.c_char_p, P, P, P]), ("kiln_kernel_launch", [P, P, P, P, N, P]), ("kiln_kernel_artifact", [P, P, P]),
                                ("kiln_artifact_resources", [P, P, P]), ("kiln_artifact_free", [P]), ("kiln_stream_synchronize", [P, P]), ("kiln_launch_ex", [P, P, P]), ("kiln_stream_capture_begin", [P, P]),
                                ("kiln_stream_capture_end", [P, P, P]), ("kiln_stream_launch_graph", [P, P, P])):
            getattr(self.lib, name).argtypes = arguments
        self.lib.kiln_error_text.restype = ctypes.c_char_p
        self.lib.kiln_error_text.argtypes = [P]
        self.session, self.device, self.stream, error = P(), P(), P(), P()
        options = SessionOptions(struct_size=ctypes.sizeof(SessionOptions), cache_dir=cache_dir.encode(), artifact_budget=1 << 30, inference_budget=1 << 28)
        self.check(self.lib.kiln_session_open(ctypes.byref(options), ctypes.byref(self.session), ctypes.byref(error)), error)
        self.check(self.lib.kiln_device_open(self.session, device.encode(), ctypes.byref(self.device), ctypes.byref(error)), error)
        if cuda_stream is None:
            self.check(self.lib.kiln_stream_open(self.session, self.device, ctypes.byref(self.stream), ctypes.byref(error)), error)
        else:
            self.check(self.lib.kiln_stream_of(self.session, self.device, cuda_stream, ctypes.byref(self.stream), ctypes.byref(error)), error)

    def check(self, status, error):
        if status:
            raise KilnError(self.lib.kiln_error_text(error).decode())

    def load(self, path):
        error = P()
        self.check(self.lib.kiln_load_file(self.session, path.encode(), ctypes.byref(error)), error)

    def prepare(self, call, **options):
        kernel, error = P(), P()
        self.check(self.lib.kiln_prepare(self.session, call.encode(), json.dumps(options).encode() if options else None, self.device, ctypes.byref(kernel), ctypes.byref(error)), error)
        return Kernel(self, kernel, call)

    def prepare_all(self, requests, threads):
        """(call, options) each -> kernels or errors, in order, compiled by so many threads."""
        def one(request):
            try:
                return self.prepare(request[0], **request[1])
            except KilnError as e:
                return e
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(one, requests))

    def graph(self, go, count):
        """A function that launches `count` calls of `go`, captured as one graph."""
        graph, error = P(), P()
        self.check(self.lib.kiln_stream_capture_begin(self.stream, ctypes.byref(error)), error)
        for _ in range(count):
            go()
        self.check(self.lib.kiln_stream_capture_end(self.stream, ctypes.byref(graph), ctypes.byref(error)), error)

        def launch():
            error = P()
            self.check(self.lib.kiln_stream_launch_graph(self.stream, graph, ctypes.byref(error)), error)
        return launch

    def synchronize(self):
        error = P()
        self.check(self.lib.kiln_stream_synchronize(self.stream, ctypes.byref(error)), error)

    def launch(self, function, blocks, threads, arguments, options=None):
        """By name, into the stream: what a program that holds no handles calls. An argument is ("Float32", bytes) or ("Float32", pointer, dims)."""
        given = (Argument * len(arguments))()
        keep = []
        for place, a in zip(given, arguments):
            place.struct_size, place.type = ctypes.sizeof(Argument), a[0].encode()
            if len(a) == 2:
                keep.append(ctypes.create_string_buffer(a[1], len(a[1])))
                place.kind, place.data, place.size = 0, ctypes.addressof(keep[-1]), len(a[1])
            else:
                keep.append((ctypes.c_int64 * len(a[2]))(*a[2]))
                place.kind, place.data, place.ndim, place.dims = 1, a[1], len(a[2]), ctypes.addressof(keep[-1])
        o = LaunchOptions(struct_size=ctypes.sizeof(LaunchOptions), device=None, function=function.encode(), blocks=(U * 3)(blocks, 1, 1), threads=(U * 3)(threads, 1, 1),
                          arguments=ctypes.addressof(given), count=len(arguments), options_json=json.dumps(options).encode() if options else None, stream=self.stream)
        error, told = P(), None
        told, launch, session, at = ctypes.byref(error), self.lib.kiln_launch_ex, self.session, ctypes.byref(o)

        def go():
            if launch(session, at, told):
                self.check(1, error)
        go.keep = (given, keep, o, error)
        return go
