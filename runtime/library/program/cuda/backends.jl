# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: program/cuda/modules; when: backend, LLVMBackend, AbstractBackend, AbstractKernel, DefaultBackend, KernelCall, kernel_convert, kernel_compile, kernel_launch, rebind
# Calls of kernels whose arguments are converted once, and compilers that a package puts in the place of Kiln's
# (`@cuda backend=...`). A backend defines methods of kernel_convert, kernel_compile and kernel_launch.

abstract type AbstractBackend end
abstract type AbstractKernel{F,TT} end
struct LLVMBackend <: AbstractBackend end
DefaultBackend() = LLVMBackend()
kernel_convert(::LLVMBackend, x) = __convert(x)
kernel_compile(::LLVMBackend, f, types::Type=Tuple{}; keywords...) = cufunction(f, types; keywords...)
kernel_launch(::LLVMBackend, k::HostKernel, args::Tuple; keywords...) = launch_converted(k, args, args; keywords...)

# `source` holds the function and the arguments as they were given.
struct KernelCall{B,F,A,S}
    backend::B
    f::F
    arguments::A
    source::S
end
kernel_call(b, f, arguments, source) = KernelCall{typeof(b),typeof(f),typeof(arguments),typeof(source)}(b, f, arguments, source)
chosen_backend(b::AbstractBackend) = b
chosen_backend(b) = b.DefaultBackend() # of a module
function KernelCall(f, args...; backend=LLVMBackend())
    b = chosen_backend(backend)
    return kernel_call(b, kernel_convert(b, f), map(x -> kernel_convert(b, x), args), (f=f, arguments=args))
end
# Returns the same call with another argument in place k.
function rebind(call::KernelCall, value, k::Integer)
    1 <= k <= length(call.arguments) || throw(BoundsError(call.arguments, k))
    replaced(t, x) = ntuple(i -> i == k ? x : t[i], length(t))
    return kernel_call(call.backend, call.f, replaced(call.arguments, kernel_convert(call.backend, value)), (f=call.source.f, arguments=replaced(call.source.arguments, value)))
end
kernel_compile(call::KernelCall; keywords...) = kernel_compile(call.backend, call.f, Tuple{map(Base.typeof, call.arguments)...}; keywords...)
kernel_launch(kernel, call::KernelCall; keywords...) = kernel_launch(call.backend, kernel, call.arguments; keywords...)
# @cuda with the keyword backend
function backend_call(f, args, backend, launch, launch_keywords, compiler_keywords)
    call = KernelCall(f, args...; backend=backend)
    kernel = kernel_compile(call; compiler_keywords...)
    launch && kernel_launch(kernel, call; launch_keywords...)
    return kernel
end
