# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/blackwell
# Launches by kernels: @cuda dynamic=true. The called function becomes a kernel in the same module
# (emit/device_launches.cpp). It receives the arguments unchanged.

# A stream that a kernel created. On the CPU, streams have no effect: launches run in order.
struct CuDeviceStream
    handle::UInt64
    CuDeviceStream(handle::UInt64) = new(handle)
end
CuDeviceStream() = CuDeviceStream(new_device_stream())
unsafe_destroy!(s::CuDeviceStream) = destroy_device_stream(s.handle)
# A GPU target overlays these.
new_device_stream() = 0x0000000000000000
destroy_device_stream(handle) = nothing

struct DeviceKernel{F}
    f::F
end
function launched(f, args...)
    is_of_kernel(f(args...))
    return
end
@inline is_of_kernel(::Nothing) = nothing
@inline is_of_kernel(x) = static_error("the kernel to launch returns a value of type ", typeof(x), ": it ends in `return`")
@inline launch_size(n::Integer) = (launch_count(n), 0x00000001, 0x00000001)
@inline launch_size(t::Tuple{Any}) = launch_size(getfield(t, 1))
@inline launch_size(t::Tuple{Any,Any}) = (launch_count(getfield(t, 1)), launch_count(getfield(t, 2)), 0x00000001)
@inline launch_size(t::Tuple{Any,Any,Any}) = (launch_count(getfield(t, 1)), launch_count(getfield(t, 2)), launch_count(getfield(t, 3)))
@inline launch_size(t::NamedTuple) = launch_size(Tuple(t))
@inline launch_size(t) = static_error("threads and blocks are an integer, or a tuple of at most three")
# Converts a launch size. Invalid sizes become 0, for which the launch reports an invalid configuration.
@inline launch_count(n) = (n > 0) & (n <= 0x7fffffff) ? rem(n, UInt32) : 0x00000000
@inline stream_handle(::Nothing) = 0x0000000000000000
@inline stream_handle(s::CuDeviceStream) = s.handle
@inline stream_handle(s) = static_error("a kernel launches into a CuDeviceStream, or into none")
@noinline launch_failed(code) =
    code == 9i32 ? error("a kernel launches a grid of an invalid configuration: its threads, blocks or shared memory are none that a launch can have") :
    code == 69i32 ? error("a kernel launches another while 2048 launches have not ended: launches without end, or more than the device keeps") :
    code == 2i32 ? error("a kernel launches another, and the device has no memory left for its launch") :
    error("a kernel cannot launch another: an error of CUDA's device runtime")

@inline function (k::DeviceKernel)(args...; threads=1, blocks=1, shmem=0, stream=nothing)
    (bx, by, bz) = launch_size(blocks)
    (tx, ty, tz) = launch_size(threads)
    code = foreign_call(Symbol("kiln.launch"), Int32, Tuple{Ptr{Nothing},UInt32,UInt32,UInt32,UInt32,UInt32,UInt32,UInt32,UInt64,Vararg{Any}},
        deferred_codegen(launched, typeof(k.f), map(typeof, args)...), bx, by, bz, tx, ty, tz, rem(shmem, UInt32), stream_handle(stream), k.f, args...)
    code == 0i32 || launch_failed(code)
    return
end
# Implements @cuda dynamic=true.
@inline function launch_dynamic(f, args::Tuple, launch::Val{true}; keywords...)
    k = DeviceKernel{typeof(f)}(f)
    k(args...; keywords...)
    return k
end
@inline launch_dynamic(f, args::Tuple, launch::Val{false}) = DeviceKernel{typeof(f)}(f)

export CuDeviceStream
