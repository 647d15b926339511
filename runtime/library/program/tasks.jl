# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/macros
# Tasks and channels of a program, which has one thread and one stack: a task runs to its end when it is scheduled.
# Julia may run it in this order, too. A task that waits for a later one is an error.
mutable struct Task
    code::Any
    result::Any
    state::Symbol # :runnable, :done or :failed
    started::Bool
    storage::Any
    Task(f) = new(f, nothing, :runnable, false, nothing)
end
struct TaskFailedException <: Exception
    task::Task
end
struct CompositeException <: Exception
    exceptions::Vector{Any}
end
struct CapturedException <: Exception
    ex::Any
    processed_bt::Vector{Any}
end
struct InvalidStateException <: Exception
    msg::String
    state::Symbol
end
CompositeException() = CompositeException([])
length(c::CompositeException) = length(c.exceptions)
iterate(c::CompositeException, k=1) = k > length(c) ? nothing : (c.exceptions[k], k + 1)
showerror(io::IO, e::TaskFailedException) = (println(io, "TaskFailedException\n"); print(io, "    nested task error: "); showerror(io, e.task.result))
showerror(io::IO, e::CapturedException) = showerror(io, e.ex)
showerror(io::IO, e::InvalidStateException) = print(io, "InvalidStateException: ", e.msg)
function showerror(io::IO, e::CompositeException)
    isempty(e.exceptions) && return print(io, "CompositeException()\n")
    showerror(io, e.exceptions[1])
    length(e) > 1 && print(io, "\n\n...and ", length(e) - 1, " more exception", length(e) > 2 ? "s" : "", ".\n")
    return nothing
end
const __main_task = Task(() -> nothing)
const __running = Any[__main_task] # the innermost task last
const __in_sync = Any[]             # for each @sync that runs: its tasks
current_task() = __running[end]
function schedule(t::Task)
    t.started && throw(ErrorException("schedule: Task not runnable"))
    t.started = true
    isempty(__in_sync) || push!(__in_sync[end], t)
    push!(__running, t)
    try
        t.result = t.code()
        t.state = :done
    catch e
        e isa InterruptException && rethrow()
        t.result = e
        t.state = :failed
    finally
        pop!(__running)
    end
    return t
end
istaskdone(t::Task) = t.state !== :runnable
istaskfailed(t::Task) = t.state === :failed
istaskstarted(t::Task) = t.started
function wait(t::Task; throw::Bool=true)
    t.started || __would_wait("wait", "the task was not scheduled: call schedule(task) first")
    t.state === :runnable && __would_wait("wait", "a task waits for itself")
    throw && t.state === :failed && Base.throw(TaskFailedException(t))
    return t
end
fetch(t::Task) = (wait(t); t.result)
fetch(x) = x
errormonitor(t::Task) = (t.state === :failed && println(stderr, "Unhandled Task ERROR: ", sprint(showerror, t.result)); t)
@noinline __would_wait(name, instead) = throw(ErrorException(string(name, " would wait for ever, since each task runs to its end where it starts: ", instead)))
function task_local_storage()
    t = current_task()
    t.storage === nothing && (t.storage = IdDict{Any,Any}())
    return t.storage
end
task_local_storage(key) = task_local_storage()[key]
task_local_storage(key, value) = (task_local_storage()[key] = value)
function task_local_storage(f::Function, key, value)
    all = task_local_storage()
    before = get(all, key, KeyMissing())
    all[key] = value
    try
        return f()
    finally
        before === KeyMissing() ? delete!(all, key) : (all[key] = before)
    end
end
macro async(ex)
    :(schedule(Task(() -> $(esc(ex)))))
end
macro task(ex)
    :(Task(() -> $(esc(ex))))
end
macro sync(ex)
    quote
        push!(__in_sync, Any[])
        local value = try
            $(esc(ex))
        finally
            __end_sync(pop!(__in_sync))
        end
        value
    end
end
function __end_sync(tasks)
    failed = Any[TaskFailedException(t) for t in tasks if istaskfailed(t)]
    isempty(failed) || throw(CompositeException(failed))
    return nothing
end
yield(args...) = nothing
yieldto(t::Task, x=nothing) = fetch(schedule(t))

# ---- channels: lists without a bound, since nothing can take from a channel while a task puts into it
abstract type AbstractChannel{T} end
mutable struct Channel{T} <: AbstractChannel{T}
    items::Vector{T}
    is_open::Bool
    reason::Any
    Channel{T}(size::Real=0) where {T} = new{T}(T[], true, nothing)
end
Channel(size::Real=0) = Channel{Any}(size)
Channel(f::Function, size::Real=0; keywords...) = Channel{Any}(f, size)
function Channel{T}(f::Function, size::Real=0; keywords...) where {T}
    c = Channel{T}(size)
    bind(c, schedule(Task(() -> f(c))))
    return c
end
const __max_items = 1_000_000
function put!(c::Channel{T}, x) where {T}
    c.is_open || throw(__closed(c))
    length(c.items) < __max_items || __would_wait("put!", "the producer put a million items, and its consumer has not started")
    push!(c.items, convert(T, x))
    return x
end
push!(c::Channel, x) = (put!(c, x); c)
function take!(c::Channel)
    isempty(c.items) || return popfirst!(c.items)
    c.is_open || throw(__closed(c))
    __would_wait("take!", "the channel is empty: start the task that fills it first")
end
function fetch(c::Channel)
    isempty(c.items) || return c.items[1]
    c.is_open || throw(__closed(c))
    __would_wait("fetch", "the channel is empty: start the task that fills it first")
end
__closed(c) = c.reason === nothing ? InvalidStateException("Channel is closed.", :closed) : c.reason
isready(c::Channel) = !isempty(c.items)
isopen(c::Channel) = c.is_open
isempty(c::Channel) = isempty(c.items)
eltype(::Type{Channel{T}}) where {T} = T
close(c::Channel, reason=nothing) = (c.is_open = false; c.reason = reason; nothing)
function bind(c::Channel, t::Task)
    istaskdone(t) && close(c, istaskfailed(t) ? TaskFailedException(t) : nothing)
    return c
end
wait(c::Channel) = isready(c) ? nothing : fetch(c)
function iterate(c::Channel, state=nothing)
    isempty(c.items) || return (popfirst!(c.items), nothing)
    c.is_open && __would_wait("a loop over a channel", "close(channel) ends it")
    c.reason === nothing || throw(c.reason)
    return nothing
end

# ---- conditions and locks, which are always free
struct Condition end
notify(c::Condition, x=nothing; keywords...) = 0
wait(c::Condition; keywords...) = __would_wait("wait", "nothing can notify the condition later")
mutable struct Event
    is_set::Bool
    Event(autoreset::Bool=false) = new(false)
end
notify(e::Event) = (e.is_set = true; nothing)
reset(e::Event) = (e.is_set = false; nothing)
wait(e::Event) = e.is_set ? nothing : __would_wait("wait", "nothing can notify the event later")
mutable struct Semaphore
    left::Int
end
acquire(s::Semaphore) = s.left > 0 ? (s.left -= 1; nothing) : __would_wait("acquire", "nothing can release the semaphore later")
acquire(f, s::Semaphore) = (acquire(s); try f() finally release(s) end)
release(s::Semaphore) = (s.left += 1; nothing)
struct Timer
    delay::Float64
    Timer(delay::Real; keywords...) = new(Float64(delay))
    Timer(f::Function, delay::Real; keywords...) = __would_wait("Timer", "call the function after sleep(delay)")
end
wait(t::Timer) = sleep(t.delay)
close(t::Timer) = nothing
function timedwait(test, timeout::Real; pollint::Real=0.1)
    test() && return :ok
    sleep(timeout)
    return test() ? :ok : :timed_out
end
abstract type AbstractLock end
struct ReentrantLock <: AbstractLock end
lock(l::AbstractLock) = nothing
lock(f, l::AbstractLock) = f()
unlock(l::AbstractLock) = nothing
trylock(l::AbstractLock) = true
trylock(f, l::AbstractLock) = f()
islocked(l::AbstractLock) = false
macro lock(l, ex)
    esc(Expr(:block, l, ex))
end
module Threads
import Base: Event, Semaphore, acquire, release, Condition
struct SpinLock <: Base.AbstractLock end
macro spawn(ex...)
    :(Base.schedule(Base.Task(() -> $(esc(ex[end])))))
end
export @spawn, Event, Condition, SpinLock
end
export @async, @task, @sync, @lock
