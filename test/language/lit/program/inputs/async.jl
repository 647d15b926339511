# A task, which programs do not have.
println("before")
t = @async 1 + 1
println(fetch(t))
