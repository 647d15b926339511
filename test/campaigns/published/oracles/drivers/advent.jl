# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Includes a published solution of Advent of Code, the first argument, and prints its answers for our own puzzles.

year, day = splitpath(ARGS[1])[end-1:end]
include(ARGS[1])

out(name, value) = println("> ", name, ": ", value)

if day == "day02.jl"
    reports = [[(17 * i + 5 * j * (i % 4) + i * j * j) % 23 for j in 1:5+i%3] for i in 1:60]
    append!(reports, [cumsum([i % 9, (((i * k) % 5) - (k == i % 5 ? 3 : 1) for k in 1:6)...]) for i in 1:200])
    foreach(report -> out("report", report), reports)
    out("answers", day02(join(join.(reports, " "), "\n") * "\n"))
elseif day == "day06.jl"
    out("answers", day06("Time:      7  15   30\nDistance:  9  40  200\n"))
    out("answers", day06("Time: 12 13 41 68\nDistance: 20 42 300 1000\n"))
elseif day == "day01.jl"
    out("answers", day01("1abc2\npqr3stu8vwx\na1b2c3d4e5f\ntreb7uchet\n"))
    out("second", solve(["two1nine", "eightwo2three", "abcone2threexyz", "xtwone3four", "4nineeightseven2",
        "zoneight234", "7pqrstsixteen", "9sevenine"]; part2 = true))
elseif day == "day18.jl"
    for expression in ("1 + 2 * 3 + 4 * 5 + 6", "1 + (2 * 3) + (4 * (5 + 6))", "2 * 3 + (4 * 5)",
        "5 + (8 * 3 + 9 + 3 * 4 * 3)", "5 * 9 * (7 * 3 * 3 + 9 * 3 + (8 + 6 * 4))",
        "((2 + 4 * 9) * (6 + 9 * 8 + 6) + 6) + 2 + 4 * 2", "17 * (3 + 21)")
        out("answers", day18(expression))
    end
elseif day == "AoC2016.jl"
    countdown = ["cpy 41 a", "inc a", "inc a", "dec a", "jnz a 2", "dec a"]
    out("registers", [first(AoC2016.exec(countdown))[name] for name in ("a", "b", "c", "d")])
    product = ["cpy 7 b", "cpy 6 c", "inc a", "dec c", "jnz c -2", "dec b", "jnz b -5", "out a"]
    registers, printed = AoC2016.exec(product, Dict("a" => 0, "b" => 0, "c" => 0, "d" => 0))
    out("registers", [registers[name] for name in ("a", "b", "c", "d")])
    out("printed", printed)
    toggle = ["cpy 2 a", "tgl a", "tgl a", "tgl a", "cpy 1 a", "dec a", "dec a"]
    out("registers", [first(AoC2016.exec(toggle, Dict("a" => 0)))["a"]])
elseif day == "utils.jl"
    path = tempname()
    write(path, "one\ntwo\n")
    out("input", repr(readInput(path)))
    rm(path)
    out("image", repr(generate_image(['#' '.'; '.' '#'; '#' '#'])))
end
