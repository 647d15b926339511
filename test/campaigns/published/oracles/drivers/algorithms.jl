# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Includes a published program of algorithms, the first argument, calls its functions and prints their values.

program = basename(ARGS[1])
include(ARGS[1])

out(name, value) = println("> ", name, ": ", value)

function thrown(f)
    try
        f()
    catch problem
        return typeof(problem)
    end
    "nothing"
end

# Numbers of -100 to 100 by a linear congruential generator; algorithms.py has the same.
function drawn(seed, count)
    state = seed
    map(1:count) do _
        state = (1103515245 * state + 12345) % 2147483648
        (state ÷ 65536) % 201 - 100
    end
end

function sorted_by(sort)
    for (seed, count) in ((1, 1), (2, 2), (3, 17), (4, 60), (5, 200))
        out("sorted", sort(drawn(seed, count)))
    end
end

if program == "problem_003.jl"
    out("factors", [problem_003(n) for n in (17, 13195, 600851475143, 9, 2 * 3 * 7 * 7, 1000003)])
    out("thrown", thrown(() -> problem_003(-1)))
elseif program == "basic_binary_search_tree.jl"
    mutable struct SearchTree <: AbstractBinarySearchTree_arr
        root::Int
        lch::Vector{Int}
        rch::Vector{Int}
        val::Vector{Int}
    end
    tree = SearchTree(1, zeros(Int, 8), zeros(Int, 8), [50, 20, 70, 10, 30, 60, 80, 25])
    for (parent, left, right) in ((1, 2, 3), (2, 4, 5), (3, 6, 7), (5, 8, 0))
        tree.lch[parent], tree.rch[parent] = left, right
    end
    out("places", [findfirst(value, tree) for value in 0:5:100])
elseif program == "counting_sort.jl"
    sorted_by(numbers -> (counting_sort!(numbers); numbers))
elseif program == "permutation.jl"
    out("permutations", [permutation(n, r) for n in 0:9 for r in 0:n])
elseif program == "problem_019.jl"
    out("Sundays", [problem_019(a, b) for (a, b) in ((1901, 2000), (1901, 2200), (2020, 2023), (2024, 2024))])
    out("thrown", thrown(() -> problem_019(-1, 2023)))
elseif program == "average_mode.jl"
    out("modes", mode([2, 3, 4, 5, 3, 4, 2, 5, 2, 2, 4, 2, 2, 2]))
    out("modes", mode(drawn(7, 500)))
    out("modes", mode(["x", "x", "y", "y", "z"]))
elseif program == "selectionsort.jl"
    sorted_by(selectionsort!)
elseif program == "countingsort.jl"
    sorted_by(countingsort)
elseif program == "bubblesort.jl"
    sorted_by(bubblesort!)
elseif program == "quicksort.jl"
    sorted_by(quicksort!)
elseif program == "mergesort.jl"
    sorted_by(mergesort!)
elseif program == "coins.jl"
    out("coins", [minimumcoins([1, 6, 27, 82], 48); [minimumcoins([1, 5, 10, 25], amount) for amount in 1:120]])
elseif program == "binary_dfs.jl"
    println()
    out("inorder", [node.data for node in inorder_dfs(nodes[1])])
    out("postorder", [node.data for node in postorder_dfs(nodes[1])])
elseif program == "gauss_jordan_elim.jl"
    foreach(name -> include(joinpath(dirname(ARGS[1]), name)), ("lu_decompose.jl", "determinant.jl"))
    out("solved", gauss_jordan([1 2 3; 4 5 6])[:])
    out("solved", gauss_jordan([0.0 2 1 5; 3 1 -1 2; 1 1 1 6])[:])
    out("thrown", thrown(() -> gauss_jordan([1 2 3; 4 8 12])))
elseif program == "hamming_distance.jl"
    out("distances", [hamming_distance(a, b) for (a, b) in (("karolin", "kathrin"), ("0000", "1111"), ("ABCDEFG", "AZCDWGM"))])
    out("thrown", thrown(() -> hamming_distance("a", "bc")))
elseif program == "problem_018.jl"
    out("total", problem_018())
elseif program == "average_median.jl"
    out("medians", [median([2, 1, 3, 4]), median([2, 70, 6, 50, 20, 8, 4]), median([0]), median(drawn(9, 40))])
elseif program == "armstrong_number.jl"
    out("armstrong", [n for n in -5:9999 if is_armstrong(n)])
elseif program == "problem_008.jl"
    digits = join(abs(n) % 10 for n in drawn(11, 1000))
    out("products", [problem_008("1234", 2), problem_008(digits, 4), problem_008(digits, 13)])
    out("thrown", thrown(() -> problem_008("12345", 6)))
elseif program == "knapsack.jl"
    out("sums", [knapsack([3, 34, 4, 12, 5, 2], target) for target in 1:60])
elseif program == "binarytodecimal.jl"
    out("numbers", [binarytodecimal(string(n; base = 2)) for n in -20:7:300])
elseif program == "main.jl"
    println()
    out("primes", [n for n in 2:2000 if is_prime(n)])
elseif program == "quadratic.jl"
    out("roots", quadratic(x -> x^2 - 3x + 2))
    out("roots", quadratic(x -> 2x^2 + 2x + 5))
end
