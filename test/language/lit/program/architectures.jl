# RUN: %kiln script --device cpu %s | %filecheck %s
# Architectures as CUDA.jl's documentation writes them, and the bytes of arrays.
using CUDA
# CHECK: sm"90a" sm"100f" true sm_103a 10.3.0
println(sm"90a", " ", SMVersion("sm_100f"), " ", SMVersion(v"7.5") == sm"75", " ", CUDA.cpu_name(sm"103a"), " ", CUDA.base_version(sm"103a"))
# PTX ISA, .target: baseline code runs on later devices, a family's on later ones of it, an architecture's on it alone.
# CHECK-NEXT: true false true false true false
println(CUDA.runs_on(sm"80", v"9.0"), " ", CUDA.runs_on(sm"90", v"8.0"), " ", CUDA.runs_on(sm"100f", v"10.3"), " ", CUDA.runs_on(sm"100f", v"12.0"), " ",
        CUDA.runs_on(sm"90a", v"9.0"), " ", CUDA.runs_on(sm"90a", v"10.0"))
k() = nothing
@cuda arch=sm"80" k()
@cuda arch=v"9.0" threads=2 k()
# CHECK-NEXT: an architecture is written like sm"90", sm"90a" or sm"100f", not "9"
# CHECK-NEXT: SMVersion: the feature set is :baseline, :family or :arch, not :x
# CHECK-NEXT: code for sm"20": Kiln requires compute capability sm_50 or higher
for f in (() -> SMVersion("9"), () -> SMVersion(9, 0, :x), () -> @cuda arch=sm"20" k())
    try
        f()
    catch e
        println(e.msg)
    end
end
# CHECK-NEXT: 24 16 8 3
println(sizeof([1, 2, 3]), " ", sizeof(zeros(Float32, 2, 2)), " ", sizeof(["a"]), " ", sizeof("abc"))
