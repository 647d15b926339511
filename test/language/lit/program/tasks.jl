# RUN: %kiln script --device cpu %s | %filecheck %s
# Tasks run to their ends where they start; channels hand values on; waiting for a later task is an error.
# CHECK: 6 done true false
t = @async 1 + 2 + 3
println(fetch(t), " ", istaskdone(t) ? "done" : "", " ", istaskstarted(t), " ", istaskfailed(t))
# CHECK-NEXT: [1, 4, 9]
squares = zeros(Int, 3)
@sync for i in 1:3
    @async squares[i] = i^2
end
println(squares)
# CHECK-NEXT: [2, 4, 6] 10
println(fetch.([Threads.@spawn(2i) for i in 1:3]), " ", fetch(schedule(Task(() -> 10))))
# CHECK-NEXT: [1, 2, 3] false
c = Channel{Int}(1) do out
    for i in 1:3
        put!(out, i)
    end
end
println(collect(c), " ", isopen(c))
# CHECK-NEXT: 5 true InvalidStateException: Channel is closed.
q = Channel(2)
put!(q, 5)
print(take!(q), " ", !isready(q), " ")
close(q)
try
    put!(q, 1)
catch e
    println(sprint(showerror, e))
end
# CHECK-NEXT: TaskFailedException
# CHECK-EMPTY:
# CHECK-NEXT: nested task error: no
try
    wait(@async error("no"))
catch e
    println(sprint(showerror, e))
end
# CHECK-NEXT: 1 of CompositeException
try
    @sync begin
        @async error("a")
        @async 1
    end
catch e
    println(length(e), " of ", typeof(e))
end
# CHECK-NEXT: take! would wait for ever, since each task runs to its end where it starts: the channel is empty: start the task that fills it first
try
    take!(Channel(1))
catch e
    println(e.msg)
end
# CHECK-NEXT: 7 nothing
task_local_storage(:a, 7) do
    print(task_local_storage(:a), " ")
end
println(get(task_local_storage(), :a, nothing))
# CHECK-NEXT: last
# CHECK-NEXT: first given, last called
atexit(() -> println("first given, last called"))
println("last")
