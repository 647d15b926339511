# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
# Calls whose arguments are converted once, and a program's own compiler behind @cuda backend=...
# CHECK: true
# CHECK-NEXT: Any[:convert, (opt_level = 3,), ((), (threads = 16,))]
# CHECK-NEXT: true Any[:convert, :convert, :convert, (fast = true,), :convert, ((1, 4.0), (threads = 4,))]
# CHECK-NEXT: [7, 7, 5, 5] 5
# CHECK-NEXT: BoundsError
# CHECK-NEXT: @cuda dynamic parallelism does not support compiler keyword arguments
# CHECK-NEXT: ArgumentError("Unsupported keyword argument 'odd'")
using CUDA
dummy() = nothing
@cuda backend=CUDA.LLVMBackend() dummy()
k = @cuda launch=false backend=CUDA dummy()
println(k isa CUDA.HostKernel); k()
module Stub
using CUDA
const seen = Any[]
struct Backend <: CUDA.AbstractBackend end
DefaultBackend() = Backend()
struct Kernel{F,TT} <: CUDA.AbstractKernel{F,TT}
    f::F
end
CUDA.kernel_convert(::Backend, x) = (push!(seen, :convert); x)
CUDA.kernel_compile(::Backend, f::F, tt::Type{<:Tuple}; keywords...) where {F} = (push!(seen, (; keywords...)); Kernel{F,tt}(f))
CUDA.kernel_launch(::Backend, kernel::Kernel, args::Tuple; keywords...) = (push!(seen, (args, (; keywords...))); nothing)
end
@cuda backend=Stub opt_level=3 threads=16 dummy()
println(Stub.seen)
empty!(Stub.seen)
call = CUDA.KernelCall(dummy, 1, 2; backend=Stub)
kernel = CUDA.kernel_compile(call; fast=true)
CUDA.kernel_launch(kernel, CUDA.rebind(call, 4.0, 2); threads=4)
println(kernel isa Stub.Kernel, " ", Stub.seen)
add!(y, a) = (i = threadIdx().x; y[i] += a; nothing)
y = CUDA.zeros(Int, 4)
c = CUDA.KernelCall(add!, y, 5)
k = CUDA.kernel_compile(c)
CUDA.kernel_launch(k, c; threads=4)
CUDA.kernel_launch(k, CUDA.rebind(c, 2, 2); threads=2)
println(Array(y), " ", c.source.arguments[2])
try; CUDA.rebind(c, 1, 3); catch e; println(typeof(e)); end
try; @eval @cuda dynamic=true opt_level=2 dummy(); catch e; println(e isa ErrorException ? e.msg : e); end
try; @eval @cuda odd=2 dummy(); catch e; println(e); end
