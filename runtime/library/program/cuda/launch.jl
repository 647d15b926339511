# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/index_lists
# @cuda, kernel objects, streams, events, devices, and macros that measure them.

mutable struct CuStream end
mutable struct CuEvent end
mutable struct CuFunction end
struct HostKernel{F}
    f::F
    fun::CuFunction
end

# ---- kernels
# A kernel with random numbers gets a new seed at each launch.
@inline seeded_kernel(seed::UInt32, f, args...) = (Base.seed_thread(seed); f(args...))
function cufunction(f, types::Type=Tuple{}; maxregs=nothing, always_inline=false, fastmath=false, name=nothing, minthreads=nothing, maxthreads=nothing, blocks_per_sm=nothing, arch=nothing, cap=arch, ptx=nothing, opt_level=2)
    cap === nothing || check_architecture(cap)
    fun = __compile(__convert(f), types, maxregs === nothing ? 0 : Int(maxregs), always_inline, fastmath, name === nothing ? nothing : string(name), false)
    return HostKernel{typeof(f)}(f, fun)
end
compile_kernel(f, args::Tuple, on_host; keywords...) = compile_converted(f, __convert(args, on_host), on_host; keywords...)
function compile_converted(f, seen::Tuple, on_host; maxregs=nothing, always_inline=false, fastmath=false, name=nothing, minthreads=nothing, maxthreads=nothing, blocks_per_sm=nothing, arch=nothing, cap=arch, ptx=nothing, opt_level=2)
    cap === nothing || check_architecture(cap)
    g = __convert(f, on_host)
    fun = __compile(g, seen, maxregs === nothing ? 0 : Int(maxregs), always_inline, fastmath, name === nothing ? nothing : string(name), on_host)
    return HostKernel{typeof(f)}(f, fun)
end
Base.show(io::Base.IO, k::HostKernel) = (print(io, "CUDA.HostKernel for ", k.f, "(", __kernel_fact(k.fun, :types), ")"); nothing)
# Converts the number of blocks or threads: one number, or a tuple of up to three.
dim(n::Integer) = Int(n)
dim(t::Tuple) = map(Int, t)
dim(t::NamedTuple) = map(Int, Tuple(t))
(k::HostKernel)(args...; keywords...) = launch_converted(k, args, args; keywords...)
# Launches a kernel with converted arguments. `held`: the original arguments, which stay alive until the launch ends.
function launch_converted(k::HostKernel, args, held; threads=1, blocks=1, shmem=0, stream=nothing, cooperative=false, clustersize=1, convert=nothing, launch=true)
    bytes = shmem isa Integer ? Int(shmem) : Int(shmem(Base.dims_product(dim(threads))))
    bytes >= 0 || throw(ArgumentError("Amount of dynamic shared memory must be positive or zero"))
    raise_thrown(__launch(k.fun, k.f, args, dim(blocks), dim(threads), bytes, stream, cooperative, dim(clustersize), held))
    return nothing
end
const compiler_keywords = (:maxregs, :always_inline, :fastmath, :name, :minthreads, :maxthreads, :blocks_per_sm, :arch, :cap, :ptx, :opt_level)
const launch_keywords = (:threads, :blocks, :shmem, :stream, :cooperative, :clustersize)
function cuda_call(f, args; launch=true, threads=1, blocks=1, shmem=0, stream=nothing, cooperative=false, clustersize=1, keywords...)
    seen = __convert(args, false)
    k = compile_converted(f, seen, false; keywords...)
    launch && launch_converted(k, seen, args; threads=threads, blocks=blocks, shmem=shmem, stream=stream, cooperative=cooperative, clustersize=clustersize)
    return k
end
# @cuda with no keywords except threads, blocks, shmem and stream. If these are numbers, the host launches
# (lib/programs/cuda_launch.cpp).
launch_now(f, args, threads, blocks, shmem, stream) = cuda_call(f, args; threads=threads, blocks=blocks, shmem=shmem, stream=stream)
const plain_keywords = (:threads, :blocks, :shmem, :stream)
# A launch by another kernel (runtime/library/device/launches.jl).
function dynamic_call(f, arguments, given, keywords)
    launch = true
    for k in given
        k === :launch && throw(ArgumentError("`launch` keyword argument to @cuda should be a constant value"))
        k isa Symbol && continue
        k.args[1] in compiler_keywords && error("@cuda dynamic parallelism does not support compiler keyword arguments")
        k.args[1] in (:launch, :dynamic, launch_keywords...) || error(string("@cuda dynamic parallelism does not support backend-specific keyword arguments: ", k.args[1]))
        k.args[1] in (:cooperative, :clustersize) && throw(ArgumentError(string("Unsupported keyword argument '", k.args[1], "': a kernel launches plain grids")))
        if k.args[1] === :launch
            k.args[2] isa Bool || throw(ArgumentError("`launch` keyword argument to @cuda should be a constant value"))
            launch = k.args[2]
        end
    end
    rest = filter(k -> !(k.args[1] in (:dynamic, :launch)), keywords)
    launch || isempty(rest) || error("@cuda with launch=false does not support launch-time keyword arguments; use them when calling the kernel")
    return Expr(:call, :launch_dynamic, Expr(:parameters, rest...), esc(f), Expr(:tuple, arguments...), launch ? :(Val(true)) : :(Val(false)))
end
# A launch by a compiler that the keyword backend names (backends.jl).
function backend_expression(f, arguments, keywords)
    chosen = Dict{Symbol,Any}(k.args[1] => k.args[2] for k in keywords if k.args[1] in (:backend, :launch))
    of_launch = filter(k -> k.args[1] in launch_keywords, keywords)
    of_compiler = filter(k -> !(k.args[1] in (:backend, :launch, launch_keywords...)), keywords)
    named(all) = Expr(:tuple, Expr(:parameters, all...))
    return Expr(:call, :backend_call, esc(f), Expr(:tuple, arguments...), chosen[:backend], get(chosen, :launch, true), named(of_launch), named(of_compiler))
end
macro cuda(ex...)
    isempty(ex) && throw(ArgumentError("@cuda takes a call: @cuda threads=256 f(args...)"))
    call = ex[end]
    if !(call isa Expr) || call.head !== :call
        throw(ArgumentError("second argument to @cuda should be a function call"))
    end
    keywords = []
    has_backend = any(k -> k isa Expr && k.args[1] === :backend, ex[1:end-1]) # which may have keywords of its own
    for k in ex[1:end-1]
        if k isa Symbol
            push!(keywords, Expr(:kw, k, esc(k)))
        elseif k isa Expr && (k.head === :(=) || k.head === :kw) && k.args[1] isa Symbol
            name = k.args[1]
            has_backend || name in (:launch, :dynamic, compiler_keywords..., launch_keywords...) || throw(ArgumentError(string("Unsupported keyword argument '", name, "'")))
            push!(keywords, Expr(:kw, name, esc(k.args[2])))
        else
            throw(ArgumentError(string("Invalid keyword argument '", k, "'")))
        end
    end
    arguments = []
    for a in call.args[2:end]
        a isa Expr && a.head === :parameters && throw(ArgumentError("a kernel takes no keyword arguments"))
        push!(arguments, esc(a))
    end
    names = map(k -> k.args[1], keywords)
    is_dynamic = false
    for k in ex[1:end-1]
        (k isa Expr && k.args[1] === :dynamic) || k === :dynamic || continue
        (k isa Expr && k.args[2] isa Bool) || throw(ArgumentError("`dynamic` keyword argument to @cuda should be a constant value"))
        is_dynamic = k.args[2]
    end
    is_dynamic && return dynamic_call(call.args[1], arguments, ex[1:end-1], keywords)
    keywords = filter(k -> k.args[1] !== :dynamic, keywords)
    has_backend && return backend_expression(call.args[1], arguments, keywords)
    names = map(k -> k.args[1], keywords)
    if all(in(plain_keywords), names) && allunique(names)
        plain = Dict{Symbol,Any}(:threads => 1, :blocks => 1, :shmem => 0, :stream => nothing)
        for k in keywords
            plain[k.args[1]] = k.args[2]
        end
        return Expr(:call, :launch_now, esc(call.args[1]), Expr(:tuple, arguments...), map(name -> plain[name], plain_keywords)...)
    end
    return Expr(:call, :cuda_call, Expr(:parameters, keywords...), esc(call.args[1]), Expr(:tuple, arguments...))
end

function launch_configuration(fun::CuFunction; shmem=0, max_threads=0)
    bytes = shmem isa Integer ? Int(shmem) : Int(shmem(256))
    (blocks, threads) = __suggest(fun, bytes)
    if max_threads > 0 && threads > max_threads
        threads = Int(max_threads)
    end
    return (blocks=blocks, threads=threads)
end
launch_configuration(k::HostKernel; keywords...) = launch_configuration(k.fun; keywords...)
maxthreads(k::HostKernel) = attribute(device(), DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
registers(k::HostKernel) = __kernel_fact(k.fun, :registers)
memory(k::HostKernel) = NamedTuple{(:local, :shared, :constant)}((__kernel_fact(k.fun, :local), __kernel_fact(k.fun, :shared), __kernel_fact(k.fun, :constant)))

# ---- waiting
synchronize() = raise_thrown(__synchronize(nothing))
function synchronize(s::CuStream; blocking=false)
    has_other_stream && synchronize()
    return raise_thrown(__synchronize(s))
end
device_synchronize() = raise_thrown(__synchronize()) # of all streams
(::Type{CuStream})(; flags=nothing, priority=nothing) = __new_stream()
(::Type{CuEvent})(flags=nothing) = __new_event()
record(e::CuEvent, s=nothing) = __record(e, s)
synchronize(e::CuEvent) = (__wait_event(e); nothing)
Base.wait(e::CuEvent, s=nothing) = (__wait_event(e, s); nothing)
isdone(e::CuEvent) = __event_done(e)
elapsed(from::CuEvent, to::CuEvent) = __elapsed(from, to)
macro sync(ex...)
    value = Expr(:(=), :result, esc(ex[end]))
    return Expr(:block, value, Expr(:call, :synchronize), :result)
end
# @elapsed evaluates its expression in the caller's scope, as in CUDA.jl. Hence it calls two functions, one before and
# one after.
function start_elapsed()
    from = CuEvent()
    record(from)
    return from
end
function end_elapsed(from)
    to = CuEvent()
    record(to)
    synchronize(to)
    return elapsed(from, to)
end
macro elapsed(ex...)
    return Expr(:block, Expr(:(=), :from, Expr(:call, :start_elapsed)), esc(ex[end]), Expr(:call, :end_elapsed, :from))
end
start_time() = (synchronize(); (__memory_status()[6:7], __nanoseconds()))
# Returns seconds, bytes allocated on the device, and number of allocations since `start`.
function end_time(start)
    synchronize()
    seconds = (__nanoseconds() - start[2]) / 1.0e9
    now = __memory_status()
    return (seconds, now[6] - start[1][1], now[7] - start[1][2])
end
macro time(ex...)
    return Expr(:block, Expr(:(=), :start, Expr(:call, :start_time)), Expr(:(=), :value, esc(ex[end])), Expr(:call, :tell_time, Expr(:call, :end_time, :start)), :value)
end
function tell_time((seconds, bytes, count))
    text = string(Base.__format("%10.6f", seconds), " seconds")
    if count != 0
        (n, unit) = scaled(count, 1000)
        amount = unit == 1 ? string(count) : string(Base.__format("%.2f", n), (" k", " M", " G", " T", " P")[unit-1])
        text = string(text, " (", amount, " GPU allocation", count == 1 ? "" : "s", ": ", bytes_text(bytes), ")")
    end
    __say(string(text, "\n"))
    return nothing
end
# As Julia's prettyprint_getunits and format_bytes.
function scaled(value, factor)
    value <= 1 && return (Float64(value), 1)
    unit = min(6, ceil(Int, log(value) / log(factor)))
    return (value / Float64(factor)^(unit - 1), unit)
end
function bytes_text(bytes)
    (n, unit) = scaled(bytes, 1024)
    unit == 1 && return string(bytes, bytes == 1 ? " byte" : " bytes")
    return string(Base.__format("%.3f", n), (" KiB", " MiB", " GiB", " TiB", " PiB")[unit-1])
end
# @allocated counts the bytes of device memory that the expression allocates, even if it frees them.
macro allocated(ex)
    return Expr(:block, Expr(:(=), :before, Expr(:call, :allocated_bytes)), esc(ex), Expr(:call, :-, Expr(:call, :allocated_bytes), :before))
end
macro timed(ex...)
    return Expr(:block, Expr(:(=), :start, Expr(:call, :start_time)), Expr(:(=), :value, esc(ex[end])), Expr(:call, :timed_value, :value, Expr(:call, :end_time, :start)))
end
timed_value(value, (seconds, bytes, count)) = (value=value, time=seconds, cpu_bytes=0, cpu_gctime=0.0, gpu_bytes=bytes, gpu_memtime=0.0, gpu_memstats=(alloc_count=count, alloc_bytes=bytes))
# @profile prints the times of compilations and launches.
start_profile() = (synchronize(); __start_timings())
end_profile() = (synchronize(); __say(string(__timing_table(), "\n")))
macro profile(ex...)
    return Expr(:block, Expr(:call, :start_profile), Expr(:(=), :value, esc(ex[end])), Expr(:call, :end_profile), :value)
end
macro bprofile(ex...)
    return Expr(:block, Expr(:call, :start_profile), Expr(:(=), :value, esc(ex[end])), Expr(:call, :end_profile), :value)
end
macro captured(ex)
    return esc(ex)
end

# ---- devices
struct CuDevice
    handle::Int
end
functional(show_reason=false) = __functional()
has_cuda(show_reason=false) = __functional()
has_cuda_gpu(show_reason=false) = __functional()
device() = CuDevice(__device_number(:number))
device!(n::Integer) = n == __device_number(:number) ? CuDevice(n) : throw(ArgumentError("a program runs on one device: choose it with kiln script --device cuda:N"))
device!(d::CuDevice) = device!(d.handle)
device!(f::Function, d) = (device!(d); f())
devices() = CuDevice[CuDevice(k - 1) for k in 1:ndevices()]
ndevices() = functional() ? __device_number(:gpus) : 1
deviceid(d=device()) = d.handle
name(d::CuDevice) = __device_text()
totalmem(d::CuDevice) = __device_number(:memory)
warpsize(d::CuDevice) = __device_number(:warp)
capability(d::CuDevice) = (c = __device_number(:capability); Base.VersionNumber(div(c, 10), c % 10, 0))
capability() = capability(device())
for (attribute_name, what) in (
    (:DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, :threads_of_block),
    (:DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, :block_x),
    (:DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, :block_y),
    (:DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, :block_z),
    (:DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, :grid_x),
    (:DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, :grid_y),
    (:DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, :grid_z),
    (:DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, :shared_bytes),
    (:DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, :shared_bytes_of_multiprocessor),
    (:DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, :registers_of_block),
    (:DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, :threads_of_multiprocessor),
    (:DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, :multiprocessors),
    (:DEVICE_ATTRIBUTE_WARP_SIZE, :warp),
    (:DEVICE_ATTRIBUTE_L2_CACHE_SIZE, :l2_bytes),
    (:DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, :cooperative))
    @eval const $attribute_name = $(QuoteNode(what))
end
memory_status_numbers() = __memory_status()
allocated_bytes() = __memory_status()[6]
allocations() = __memory_status()[7]
used_memory() = __memory_status()[1]
cached_memory() = __memory_status()[2]
free_memory() = __memory_status()[4]
total_memory() = __memory_status()[5]
available_memory() = __memory_status()[4]
reclaim() = nothing
function memory_status()
    (used, reserved, peak, free, total) = __memory_status()
    __say(string("Memory pool usage: ", used, " bytes (", reserved, " bytes reserved)\n"))
    return nothing
end

# Programs can import the name CUDA.Mem; the module itself is missing.
const Mem = nothing

export @cuda, cufunction, CuFunction, CuModule, CuModuleFile, cudacall, CuDevice, CuStream, CuEvent, cudaconvert, device, device!, devices, capability, attribute, synchronize, launch_configuration
