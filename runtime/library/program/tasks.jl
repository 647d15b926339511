# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/macros
# Names of features that programs lack: tasks and arbitrary-precision numbers. Using such a name is an error that
# suggests a replacement. Locks exist, but a program is one task, so they are always free.
@noinline __no_tasks(name, instead) = throw(ErrorException(string(name, ": a program of Kiln's is one task: ", instead)))
@noinline __no_big(name, instead) = throw(ErrorException(string(name, ": Kiln has no numbers without bounds: ", instead)))
macro async(ex...)
    error("a program of Kiln's is one task: write the statement without it, or f(x) for fetch(@async f(x)); kernels overlap by streams (CuStream)")
end
macro task(ex...)
    error("a program of Kiln's is one task: write a function, and call it")
end
macro big_str(text)
    error("Kiln has no numbers without bounds: write Int128(...), which goes to 1.7e38, or a Float64")
end
const __instead_of_channel = "keep what is handed on in a Vector, by push! and popfirst!"
const __instead_of_task = "call the function where its result is needed"
const __instead_of_waiting = "what came before has ended when a statement runs; synchronize() waits for the GPU"
struct Channel{T}
    Channel{T}(args...) where {T} = __no_tasks("Channel", __instead_of_channel)
end
Channel(args...) = __no_tasks("Channel", __instead_of_channel)
struct Task
    Task(args...) = __no_tasks("Task", __instead_of_task)
end
struct Condition
    Condition(args...) = __no_tasks("Condition", __instead_of_waiting)
end
struct Timer
    Timer(args...) = __no_tasks("Timer", __instead_of_waiting)
end
put!(args...) = __no_tasks("put!", __instead_of_channel)
take!(args...) = __no_tasks("take!", __instead_of_channel)
schedule(args...) = __no_tasks("schedule", __instead_of_task)
fetch(x) = x
wait(args...) = __no_tasks("wait", __instead_of_waiting)
yield(args...) = nothing
struct ReentrantLock end
lock(l::ReentrantLock) = nothing
lock(f, l::ReentrantLock) = f()
unlock(l::ReentrantLock) = nothing
trylock(l::ReentrantLock) = true
islocked(l::ReentrantLock) = false
macro lock(l, ex)
    esc(Expr(:block, l, ex))
end
big(x) = __no_big("big", "write Int128(x), which goes to 1.7e38, or float(x)")
abstract type BigInt <: Signed end
abstract type BigFloat <: AbstractFloat end
for T in (:Bool, :Int8, :Int16, :Int32, :Int64, :Int128, :UInt8, :UInt16, :UInt32, :UInt64, :UInt128, :Float16, :Float32, :Float64, :Rational, :String)
    @eval (::Type{BigInt})(x::$T) = __no_big("BigInt", "write Int128, which goes to 1.7e38, or a Float64")
    @eval (::Type{BigFloat})(x::$T) = __no_big("BigFloat", "write Float64")
end
parse(::Type{BigInt}, text::String; base::Integer=10) = __no_big("parse(BigInt, text)", "write parse(Int128, text), which goes to 1.7e38")
parse(::Type{BigFloat}, text::String) = __no_big("parse(BigFloat, text)", "write parse(Float64, text)")
module Threads
macro spawn(ex...)
    error("a program of Kiln's is one task: write the expression without it, or f(x) for fetch(@spawn f(x))")
end
export @spawn
end
export @async, @task, @big_str, @lock
