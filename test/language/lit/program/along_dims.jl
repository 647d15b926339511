# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Reductions, scans and sorting along dimensions of arrays that are large enough for compiled loops, and slices in compiled functions.
# Values are those of NumPy for the same arrays, as sums with weights from 0 to 96.
#
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
# RUN: env KILN_LOG=debug %kiln script --device cpu %s 2>&1 | %filecheck %s --check-prefix=KEPT
const A = [mod(7i + 11j + 13k, 101) for i in 1:40, j in 1:30, k in 1:20]
weighted(B) = sum(Int(x) * mod(n, 97) for (n, x) in enumerate(vec(B)))
# KEPT-DAG: __along_into!({{.*}}typeof(sum){{.*}} runs as compiled code
# KEPT-DAG: __accumulate_along!({{.*}} runs as compiled code
# KEPT-DAG: slices({{.*}} runs as compiled code
#      CHECK: 56251681 3770792689 2783720 26504 28107 16944 11251 1180581344 57556311 105792018
# CHECK-NEXT: 56326797 3774910475 3684912 69654 37548 26413 11011 891795723 57554362 104909539
# CHECK-NEXT: 56591915 3794475813 5502370 153028 56538 45369 11258 604513262 57561171 102249430
for d in 1:3
    all_of = (sum(A; dims=d), sum(abs2, A; dims=d), maximum(A; dims=d), minimum(A; dims=d), any(A .> 50; dims=d), all(x -> x > 0, A; dims=d),
        count(==(7), A; dims=d), cumsum(A; dims=d), sort(A; dims=d), accumulate(max, A; dims=d))
    println(join(map(weighted, all_of), " "))
end
# CHECK-NEXT: 18608150 242896 40374
println(weighted(sum(A; dims=(1, 3))), " ", weighted(A[2:5, :, 3]), " ", weighted(A[end:-1:1, 3, 4]))
# CHECK-NEXT: 897550188 104375066 690879244109
println(weighted(accumulate(+, A; dims=2, init=5)), " ", weighted(accumulate(max, A; dims=3, init=60)), " ", weighted(accumulate(+, A; init=3)))
# Element types and shapes as Julia infers them.
# CHECK-NEXT: Float64 (40, 1, 20) Int64 (1, 30, 20) Float64
println(eltype(accumulate(+, A; dims=1, init=0.5)), " ", size(sum(A; dims=2)), " ", eltype(sum(Int32.(A); dims=3)), " ", size(maximum(A; dims=1)), " ",
    eltype(accumulate(/, A; dims=2)))
# CHECK-NEXT: (0, 3) (1, 3) [6, 8] Int64
println(size(cumsum(zeros(0, 3); dims=1)), " ", size(sum(zeros(0, 3); dims=1)), " ", accumulate(+, [1, 2]; init=5), " ", eltype(accumulate(+, Int[]; init=1)))
# CHECK-NEXT: [5 3; 2 1]
B = [3 5; 2 1]
println(sort!(B; dims=2, rev=true))

function slices(A)
    t = 0
    for r in 1:40
        row = A[r, :, 1]
        s = 0
        for (n, x) in enumerate(row)
            s += n * x
        end
        t = mod(t * 3 + s + sum(A[1:r, mod(r, 30)+1, mod(r, 20)+1]) + sum(A[3:min(r + 2, 40), 1:2, mod(r, 20)+1]), 1000003)
    end
    return t
end
# CHECK-NEXT: 956251
println(slices(A))
