# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Version numbers, the machine, and where a file is: as Julia prints them.
#
# RUN: %kiln script %s | %filecheck %s --match-full-lines --strict-whitespace
#      CHECK:1.10.0 v"2.0.1" 1.2.3-rc1+b5 7.0.0 1.2.0
println(v"1.10", " ", repr(v"2.0.1"), " ", v"1.2.3-rc1+b5", " ", VersionNumber(7, 0), " ", VersionNumber("1.2"))
# CHECK-NEXT:true true true true true false
println(v"1.10.2" < v"1.11", " ", VERSION >= v"1.6", " ", v"1.0-" < v"1.0-a" < v"1.0", " ", v"1.0.0-rc1" < v"1.0.0-rc2", " ", v"1.0+" > v"1.0", " ", v"1.2" == v"1.2.1")
# CHECK-NEXT:1 2 3 VersionNumber 1.10.0 VersionNumber[v"1.2.0", v"1.10.0"] 1.2.0
println(v"1.2.3".major, " ", v"1.2.3".minor, " ", v"1.2.3".patch, " ", typeof(v"1.2"), " ", max(v"1.2", v"1.10"), " ", sort([v"1.10", v"1.2"]), " ", "$(v"1.2")")
# CHECK-NEXT:new
if VERSION < v"1.9"
    println("old")
else
    println("new")
end
# CHECK-NEXT:invalid version string: a.b
try
    VersionNumber("a.b")
catch e
    println(e.msg)
end
# CHECK-NEXT:false true false true 64 true true
println(Sys.iswindows(), " ", Sys.islinux(), " ", Sys.isapple(), " ", Sys.isunix(), " ", Sys.WORD_SIZE, " ", Sys.CPU_THREADS >= 1, " ", Sys.total_memory() > 2^20)
# CHECK-NEXT:version.jl program [[#@LINE+1]] true
println(basename(@__FILE__), " ", basename(@__DIR__), " ", @__LINE__, " ", (@__FILE__) == joinpath(@__DIR__, "version.jl"))
# CHECK-NEXT:1 1 6
total = Ref(0)
Threads.@threads for i in 1:3
    total[] += i
end
println(Threads.nthreads(), " ", Threads.threadid(), " ", total[])
