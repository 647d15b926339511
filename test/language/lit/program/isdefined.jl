# RUN: %kiln script --device cpu %s | %filecheck %s
module M
const a = 1
end
println(isdefined(Base, :sum), " ", isdefined(Main, :nothere), " ", isdefined(M, :a), " ", isdefined(M, :b))
# CHECK: true false true false
for name in (:a, :b)
    println(name, " ", isdefined(M, name))
end
# CHECK-NEXT: a true
# CHECK-NEXT: b false
later = 1
println(isdefined(Main, :later), " ", isdefined(@__MODULE__, :later), " ", isdefined((1, 2), 2), " ", isdefined((a=1,), :b))
# CHECK-NEXT: true true true false
