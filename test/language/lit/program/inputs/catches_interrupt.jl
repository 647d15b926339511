function wait_forever()
    n = 0
    while true
        n += length(string(n))
    end
end
try
    wait_forever()
catch e
    println("caught ", typeof(e), " ", e isa InterruptException)
finally
    println("cleaned")
end
if length(ARGS) == 0
    t = time()
    try
        while time() - t < 4
        end
        println("not again")
    catch e
        println("again")
    end
end
