# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Oracles of published solutions of Advent of Code, with puzzles of our own."""

import math
import re

from .algorithms import values
from .outputs import text
from .registry import oracle

WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def is_safe(report):
    steps = {b - a for a, b in zip(report, report[1:])}
    return steps <= {1, 2, 3} or steps <= {-1, -2, -3}


@oracle("goggle/AdventOfCode.jl/src/2024/day02.jl", "advent")
def reports(output):
    found = [[int(word) for word in line.strip("[]").split(", ")] for line in output.values("report")]
    safe = sum(map(is_safe, found))
    damped = sum(any(is_safe(one[:i] + one[i + 1 :]) for i in range(len(one))) for one in found)
    values(output, "answers", text([safe, damped]))


def ways(time, distance):
    return sum(hold * (time - hold) > distance for hold in range(time))


@oracle("goggle/AdventOfCode.jl/src/2023/day06.jl", "advent")
def races(output):
    cases = (((7, 15, 30), (9, 40, 200)), ((12, 13, 41, 68), (20, 42, 300, 1000)))
    answers = []
    for times, distances in cases:
        joined = ways(int("".join(map(str, times))), int("".join(map(str, distances))))
        answers.append([math.prod(map(ways, times, distances)), joined])
    values(output, "answers", *map(text, answers))


def calibration(line, with_words):
    digits = {str(n): n for n in range(1, 10)} | ({word: n + 1 for n, word in enumerate(WORDS)} if with_words else {})
    found = [digits[match[1]] for match in re.finditer(f"(?=({'|'.join(digits)}))", line)]
    return 10 * found[0] + found[-1]


@oracle("goggle/AdventOfCode.jl/src/2023/day01.jl", "advent")
def trebuchet(output):
    lines = ("1abc2", "pqr3stu8vwx", "a1b2c3d4e5f", "treb7uchet")
    values(output, "answers", text([sum(calibration(line, part) for line in lines) for part in (False, True)]))
    lines = "two1nine eightwo2three abcone2threexyz xtwone3four 4nineeightseven2 zoneight234 7pqrstsixteen 9sevenine"
    values(output, "second", str(sum(calibration(line, True) for line in lines.split())))


class Equal:
    """A number whose operators - and ** mean + and *: Python's precedences then give the puzzle's."""

    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Equal(self.value + other.value)

    def __sub__(self, other):  # of the precedence of +, but means *
        return Equal(self.value * other.value)

    def __mul__(self, other):  # of a higher precedence than -, but means +
        return Equal(self.value + other.value)


def evaluated(expression, plus, times):
    code = expression.replace("+", "p").replace("*", "t").replace("p", plus).replace("t", times)
    return eval(re.sub(r"\d+", r"Equal(\g<0>)", code), {"Equal": Equal}).value


@oracle("goggle/AdventOfCode.jl/src/2020/day18.jl", "advent")
def homework(output):
    expressions = (
        "1 + 2 * 3 + 4 * 5 + 6",
        "1 + (2 * 3) + (4 * (5 + 6))",
        "2 * 3 + (4 * 5)",
        "5 + (8 * 3 + 9 + 3 * 4 * 3)",
        "5 * 9 * (7 * 3 * 3 + 9 * 3 + (8 + 6 * 4))",
        "((2 + 4 * 9) * (6 + 9 * 8 + 6) + 6) + 2 + 4 * 2",
        "17 * (3 + 21)",
    )
    values(output, "answers", *(text([evaluated(one, "+", "-"), evaluated(one, "*", "-")]) for one in expressions))


@oracle("lucifer1004/AdventOfCode.jl/src/AoC2016.jl", "advent")
def assembler(output):
    values(output, "registers", text([42, 0, 0, 0]), text([7 * 6, 0, 0, 0]), "[3]")
    values(output, "printed", "[42]")


@oracle("goggle/AdventOfCode.jl/src/utils.jl", "advent")
def utilities(output):
    values(output, "input", r'"one\ntwo\n"')
    values(output, "image", '"█ █\\n ██\\n"')  # one row for each column of the image
