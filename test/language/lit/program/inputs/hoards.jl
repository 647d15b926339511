# Memory without end, by arrays, lists, texts and in compiled code; then what was held is free again.
function told(f, n)
    try
        f()
    catch e
        println(typeof(e), " ", n)
    end
end
told(1) do
    v = Any[]
    while true
        push!(v, zeros(10^7))
    end
end
told(2) do
    v = Any[]
    while true
        push!(v, repeat("x", 20_000))
    end
end
told(3) do
    s = "abcdefgh"
    held = String[]
    while true
        s = s * s
        push!(held, s)
    end
end
grows(n, m) = n == 0 ? 0.0 : (x = zeros(m); x[1] = n; x[1] + grows(n - 1, m) + x[2])
told(4) do
    for k in 1:400
        grows(20, 10)
    end
    grows(10^4, 10^7)
end
# More in all than there is at a time.
total = 0.0
for k in 1:20
    global total += sum(ones(10^7))
end
println(total)
