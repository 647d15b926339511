# RUN: %kiln run %s k --arg 'zeros(Int, 3)' --device cpu --load-path %S/inputs/brought --from-source StaticArrays --out 1=%t.npy
# RUN: %npy show %t.npy | %filecheck %s
# A package from its sources in place of the one that Kiln brings: its name is its own, also before a dot. Generators take
# parts of matrices of the host.
using StaticArrays
function k(y)
    y[1] = answer()
    y[2] = StaticArrays.only_here()
    y[3] = StaticArrays.trace_of((1, 2, 3, 4, 5, 6, 7, 8, 9))
    return
end
# CHECK: values 7 11 715
