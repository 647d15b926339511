# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The output of a published program, and comparisons with what it must be. Julia's manual gives the texts of values."""

import math
import re

TIME = re.compile(r" +\d+\.\d{6} seconds( \(.*\))?")  # @time
BENCHMARK = re.compile(r" +\d+(\.\d+)? (ns|μs|ms|s)( \(.*\))?")  # @btime
NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|Inf|NaN)")
TOKEN = re.compile(r"[^\W_]+")


class Wrong(Exception):
    """An output that differs from the right one."""


class Output:
    """What a program printed: `lines` without the empty ones, and the exit status."""

    def __init__(self, status, out, err="", folder=None):
        self.status, self.out, self.err, self.folder = status, out, err, folder
        self.lines = [line for line in re.split(r"[\r\n]", out) if line.strip()]

    def values(self, name=None):
        """Returns the texts behind `name: ` of a driver's lines, or its only lines of values."""
        prefix = f"> {name}: "
        found = [line[len(prefix) :] for line in self.lines if line.startswith(prefix)]
        require(found, f"no line `{prefix}`")
        return found

    def value(self, name):
        return self.values(name)[-1]

    def numbers(self, name):
        return numbers(self.value(name))

    def file(self, name):
        path = self.folder / name
        require(path.is_file(), f"no file {name}")
        return path.read_text(errors="replace")


def require(holds, message):
    if not holds:
        raise Wrong(message)


def numbers(text):
    """Returns the numbers in a text of Julia, in its order: integers and floats."""
    return [int(word) if re.fullmatch(r"[-+]?\d+", word) else float(word) for word in NUMBER.findall(text)]


def text(value):
    """Returns Julia's `print` of a value: shortest digits, and an exponent below 1e-5 and from 1e6."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return float_text(value)
    if isinstance(value, tuple):
        return f"({', '.join(shown(item) for item in value)}{',' if len(value) == 1 else ''})"
    if isinstance(value, list):
        return f"[{', '.join(shown(item) for item in value)}]"
    return str(value)


def shown(value):
    """Returns Julia's `show` of a value: strings have quotes."""
    return f'"{value}"' if isinstance(value, str) else text(value)


def float_text(value):
    if math.isinf(value) or math.isnan(value):
        return {"inf": "Inf", "-inf": "-Inf"}.get(str(value), "NaN")
    if value == 0 or 1e-5 <= abs(value) < 1e6:
        digits = format(value, "f") if value == int(value) else repr(value)
        if "e" in digits:  # Python's exponent starts below 1e-4
            places = len(digits.split("e")[0].replace(".", "").lstrip("-")) - 1 - int(digits.split("e")[1])
            digits = format(value, f".{places}f")
        return re.sub(r"\.0+$", ".0", digits)
    mantissa, exponent = re.fullmatch(r"(-?[\d.]+)e([-+]\d+)", format_exponent(value)).groups()
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{int(exponent)}"


def format_exponent(value):
    digits = next(size for size in range(17) if float(format(value, f".{size}e")) == value)
    return format(value, f".{digits}e")


def near(found, expected, tolerance=1e-12, name="number"):
    """Compares numbers or sequences of numbers by relative tolerance, absolute below 1."""
    if isinstance(expected, (int, float)):
        found, expected = [found], [expected]
    found, expected = list(found), list(expected)
    require(len(found) == len(expected), f"{name}: {len(found)} numbers, not {len(expected)}")
    for index, (one, other) in enumerate(zip(found, expected)):
        close = one == other or abs(one - other) <= tolerance * max(1.0, abs(other))
        require(close, f"{name} {index + 1} is {one}, not {other}")


def expect(output, *items):
    """Compares all lines: a string exactly, a float by value and text, a pattern by full match."""
    require(output.status == 0, f"status {output.status}")
    lines = output.lines
    for index, item in enumerate(items):
        require(index < len(lines), f"no line {index + 1}: {item}")
        check_line(lines[index], item)
    require(len(lines) == len(items), f"line {len(items) + 1} is one too many: {lines[len(items) : len(items) + 1]}")


def check_line(line, item):
    if isinstance(item, float):
        require(NUMBER.fullmatch(line), f"`{line}` is not a number")
        near(float(line), item, 1e-14, "number")
        require(float_text(float(line)) == line, f"`{line}` is not the text of a Float64")
    elif isinstance(item, re.Pattern):
        require(item.fullmatch(line), f"`{line}` does not match {item.pattern}")
    else:
        require(line == item, f"`{line}` is not `{item}`")


def mutations(out):
    """Yields up to 60 texts that differ from `out` in the first letter or digit of one word, fewer of a long one."""
    places = [match.start() for match in TOKEN.finditer(out)]
    limit = 60 if len(out) < 1_000_000 else 4
    step = max(1, math.ceil(len(places) / limit))
    for at in places[::step]:
        letter = out[at]
        other = str((int(letter) + 5) % 10) if letter.isdecimal() else ("X" if letter != "X" else "Y")
        yield out[:at] + other + out[at + 1 :]
