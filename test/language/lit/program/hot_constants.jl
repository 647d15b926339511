# RUN: %kiln script --device cpu %s | %filecheck %s
# Arrays that a function names as constants: what they hold now, however often it ran; compiled code read their identity as an array.
const L = [10, 20, 30]
f(n) = (s = 0; for x in L; s += x * n; end; s)
g!(x) = (for i in 1:length(L); L[i] += x; end; L[1])
for n in 1:3000
    f(n)
end
# CHECK: 60
println(f(1))
L[1] = 100
push!(L, 1000)
# CHECK-NEXT: 1150
println(f(1))
for n in 1:3000
    g!(1)
end
# CHECK-NEXT: [3100, 3020, 3030, 4000]
println(L)
const LINES = [(1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7)]
winner(b) = (for (i, j, k) in LINES; b[i] != ' ' && b[i] == b[j] == b[k] && return b[i]; end; return nothing)
boards = collect.(["XXX      ", " O  O  O ", "XOXOXOOXO"])
# CHECK-NEXT: Any['X', 'O', nothing]
for n in 1:1000
    foreach(winner, boards)
end
println(Any[winner(b) for b in boards])
const TABLE = ([1, 2, 3], "text")
total(n) = (s = 0; for k in 1:n; s += TABLE[1][mod1(k, 3)]; end; s)
total(2000)
TABLE[1][1] = 7
# CHECK-NEXT: 12
println(total(3))
given() = L
for n in 1:3000
    given()
end
# CHECK-NEXT: true
println(given() === L)
