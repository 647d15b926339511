# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of any size, one function for each way in which a program can be large.

A shape is a function of a size that returns a program's text with a kernel `k`. The decorator says with which arguments `k` is compiled, up to
what size, and what is known of it: a documented limit and the diagnostic beyond it, or an exponent that docs/known_faults.md tells.
"""

VECTOR = "CuDeviceVector{Float32,1}"
INTEGERS = "CuDeviceVector{Int64,1}"
MODES = (("ptx", "2"), ("ptx", "0"), ("native", "2"), ("native", "0"))  # target, optimisation level
SOME = (MODES[0], MODES[3])  # of the short form, where a shape names no others: both targets, both levels
SHAPES = []

# Documented limits of 20,000: the library's own functions count too, and a tuple's type is a part itself.
INSTANCES = 19_900
PARTS = 19_900


class Shape:
    def __init__(self, source, arguments, limit, beyond, short, long, known, modes):
        self.name = source.__name__
        self.source = source
        self.arguments = arguments
        self.limit = limit        # the largest size that surely compiles (docs/known_faults.md, Limits); None: there is no limit
        self.beyond = beyond      # what the diagnostic says beyond the limit
        self.short, self.long = short, long  # the largest sizes of the two forms of the test
        self.known = known        # by mode: the exponent where it is known to be above 1.2 (docs/known_faults.md)
        self.short_modes = modes

    def call(self, size):
        return f"k({', '.join(self.arguments(size) if callable(self.arguments) else self.arguments)})"


def shape(*arguments, limit=None, beyond=None, types=None, short=4000, long=20_000, known=None, modes=SOME):
    """`known`: an exponent for all modes, or by mode ("ptx2", "native0") or level ("2")."""
    def exponent(mode):
        return known if not isinstance(known, dict) else known.get(mode[0] + mode[1], known.get(mode[1]))

    def add(source):
        exponents = {mode: exponent(mode) for mode in MODES if exponent(mode) is not None}
        SHAPES.append(Shape(source, types or list(arguments or (VECTOR,)), limit, beyond, short, long, exponents, modes))
        return source
    return add


def kernel(body, parameters="y"):
    return f"function k({parameters})\n{body}    return\nend\n"


def lines(size, line):
    return "".join("    " + line(i) + "\n" for i in range(size))


# ---- statements

@shape(known={"ptx0": 1.4, "ptx2": 1.5})
def chain_of_floats(n):
    return kernel("    x = y[1]\n" + lines(n, lambda i: f"x = x * {i % 7 + 2}f0 + y[{i % 5 + 1}]") + "    y[1] = x\n")


@shape(known={"native2": 1.6}, modes=MODES)
def stores(n):
    return kernel(lines(n, lambda i: f"y[{i + 1}] = y[{(i * 7) % n + 1}] * 2f0 + {i % 9}f0"))


@shape(known={"ptx0": 1.5, "native2": 1.9, "native0": 1.5})
def inbounds_stores(n):
    return kernel("    @inbounds begin\n" + lines(n, lambda i: f"y[{i + 1}] = y[{(i * 7) % n + 1}] * 2f0 + {i % 9}f0") + "    end\n")


@shape(INTEGERS, known={"native2": 1.5})
def chain_of_integers(n):
    return kernel("    x = y[1]\n" + lines(n, lambda i: "x = x * x + 1") + "    y[1] = x\n")


@shape(known={"ptx2": 1.4, "native0": 1.6})
def variables(n):
    return kernel(lines(n, lambda i: f"v{i} = y[{i % 5 + 1}] + {i}f0") + "    s = 0f0\n" + lines(n, lambda i: f"s += v{i}") + "    y[1] = s\n")


@shape(known={"ptx0": 1.4, "native2": 1.8, "native0": 1.5, "ptx2": 1.4})
def ifs_in_a_row(n):
    return kernel("    x = y[1]\n" + lines(n, lambda i: f"if x > {i}f0; x = x * 2f0; else; x += 1f0; end") + "    y[1] = x\n")


@shape(known={"2": 1.6, "ptx0": 1.4, "native0": 1.6})
def returns_early(n):
    return kernel("    x = y[1]\n" + lines(n, lambda i: f"x == {i}f0 && return") + "    y[1] = x + 1f0\n")


@shape(limit=990, beyond="nested too deeply", known={"native2": 1.7})
def branches_of_one_if(n):
    return kernel("    x = y[1]\n    if x == -1f0\n    x = 3f0\n" + lines(n, lambda i: f"elseif x == {i}f0\n        x = {i % 13}f0") + "    end\n    y[1] = x\n")


@shape(short=200, long=1000, modes=MODES, known={"2": 2.3})
def loops_in_a_row(n):
    return kernel("    x = y[1]\n" + lines(n, lambda i: f"for i in 1:length(y); x += y[i] * {i % 9}f0; end") + "    y[1] = x\n")


@shape(short=2000, long=4000, modes=MODES, known={"ptx2": 1.6, "ptx0": 1.6, "native2": 1.9, "native0": 1.4})
def bounds_checks(n):
    return kernel("    x = 0f0\n" + lines(n, lambda i: f"x += y[{i + 1}]") + "    y[1] = x\n")


# ---- nesting

@shape(limit=990, beyond="nested too deeply")
def parentheses(n):
    return kernel("    y[1] = " + "(" * n + "y[2]" + " + 1f0)" * n + "\n")


@shape(limit=490, beyond="nested too deeply")
def nested_ifs(n):
    return kernel("    x = y[1]\n" + "".join(f"if x > {i}f0\n x += 1f0\n" for i in range(n)) + "end\n" * n + "    y[1] = x\n")


@shape(limit=490, beyond="nested too deeply")
def nested_blocks(n):
    return kernel("    x = y[1]\n" + "".join("let\n x += 1f0\n" for i in range(n)) + "end\n" * n + "    y[1] = x\n")


@shape(limit=490, beyond="nested too deeply", short=240, known=2.3)
def nested_loops(n):
    return kernel("    x = y[1]\n" + "".join(f"for i{i} in 1:2\n" for i in range(n)) + "x += 1f0\n" + "end\n" * n + "    y[1] = x\n")


@shape(limit=990, beyond="nested too deeply")
def nested_calls(n):
    return "f(x) = x * 2f0 + 1f0\n" + kernel("    y[1] = " + "f(" * n + "y[2]" + ")" * n + "\n")


@shape(limit=990, beyond="nested too deeply", known={"native2": 1.8})
def ternaries(n):
    return kernel("    x = y[1]\n    y[1] = " + "".join(f"x == {i}f0 ? {i % 5}f0 : " for i in range(n)) + "1f0\n")


@shape(limit=990, beyond="nested too deeply")
def conjunctions(n):
    return kernel("    x = y[1]\n    y[1] = (" + " && ".join(f"x != {i}f0" for i in range(n)) + ") ? 1f0 : 2f0\n")


# ---- expressions

@shape(short=2000, long=5000, known=2.1)
def operands_of_a_sum(n):
    return kernel("    y[1] = " + " + ".join(f"y[{i % 9 + 1}]" for i in range(n)) + "\n")


@shape(limit=990, beyond="nested too deeply")
def operands_of_differences(n):
    return kernel("    y[1] = " + " - ".join(f"y[{i % 9 + 1}]" for i in range(n)) + "\n")


# ---- functions

@shape(limit=INSTANCES, beyond="specialised functions", known={"ptx2": 1.4, "native0": 1.5})
def calls_of_many(n):
    functions = "".join(f"f{i}(x) = x > {i}f0 ? x * {i % 7 + 2}f0 : x - 1f0\n" for i in range(n))
    return functions + kernel("    x = y[1]\n" + lines(n, lambda i: f"x = f{i}(x)") + "    y[1] = x\n")


@shape(known={"native2": 1.8, "native0": 1.5, "ptx2": 1.6})
def calls_of_one(n):
    return "f(x) = x > 3f0 ? x * 7f0 : x - 1f0\n" + kernel("    x = y[1]\n" + lines(n, lambda i: "x = f(x)") + "    y[1] = x\n")


@shape(known={"ptx0": 1.4, "ptx2": 1.7, "native0": 1.8})
def calls_of_one_that_stays(n):
    return "@noinline f(x) = x > 3f0 ? x * 7f0 : x - 1f0\n" + kernel("    x = y[1]\n" + lines(n, lambda i: "x = f(x)") + "    y[1] = x\n")


@shape(limit=290, beyond="nest more than")
def chain_of_calls(n):
    functions = "f0(x) = x + 1f0\n" + "".join(f"f{i}(x) = f{i - 1}(x) * {i % 7 + 2}f0\n" for i in range(1, n))
    return functions + kernel(f"    y[1] = f{n - 1}(y[1])\n")


@shape()
def arguments(n):
    names = ", ".join(f"a{i}" for i in range(n))
    return f"f({names}) = a0 + a{n - 1}\n" + kernel("    x = y[1]\n    y[1] = f(" + ", ".join("x" for i in range(n)) + ")\n")


@shape()
def varargs(n):
    return "f(a...) = a[1] + a[end]\n" + kernel("    x = y[1]\n    y[1] = f(" + ", ".join("x" for i in range(n)) + ")\n")


@shape()
def methods_of_one(n):
    types = "".join(f"struct T{i}; x::Float32; end\nf(t::T{i}) = t.x + {i}f0\n" for i in range(n))
    return types + kernel(f"    y[1] = f(T{n // 2}(y[1]))\n")


@shape(limit=6600, beyond="specialised functions", known={"ptx2": 1.4, "native2": 1.7})  # each is a method, a constructor and a getproperty
def methods_called(n):
    types = "".join(f"struct T{i}; x::Float32; end\nf(t::T{i}) = t.x + {i}f0\n" for i in range(n))
    return types + kernel("    x = y[1]\n" + lines(n, lambda i: f"x = f(T{i}(x))") + "    y[1] = x\n")


@shape(short=400, long=1000)
def type_combinations(n):
    """Calls on n types of array, of two methods whose other arguments are of unions: what choosing one costs must not depend on the types before."""
    return (
        "const Ints = Union{Bool,Int8,Int16,Int32,Int64,UInt8,UInt16,UInt32,UInt64}\n"
        "abstract type Arrays{T,N,A,R} end\nstruct CArray{T,N,A,R} <: Arrays{T,N,A,R}\n    x::T\nend\n"
        "@inline item(a::Arrays{T,3}, i::Ints, j::Ints, k::Ints) where {T} = a.x\n@inline item(a::Arrays, I...) = a.x + 1f0\n"
        "@inline item(a::Arrays, t::Tuple) = item(a, t...)\n"
        + kernel("    x = y[1]\n" + lines(n, lambda i: f"x = item(CArray{{Float32,3,{i},true}}(x), 1, 2, 3)") + "    y[1] = x\n")
    )


@shape()
def functions_unused(n):
    return "".join(f"f{i}(x) = x > {i}f0 ? x * {i % 7 + 2}f0 : x - 1f0\n" for i in range(n)) + kernel("    y[1] = f0(y[1])\n")


@shape(known={"native0": 1.6})
def constants(n):
    return "".join(f"const c{i} = {i}f0\n" for i in range(n)) + kernel("    x = y[1]\n" + lines(n, lambda i: f"x += c{i}") + "    y[1] = x\n")


@shape(limit=INSTANCES, beyond="specialised functions")
def closures(n):
    return kernel("    x = y[1]\n" + lines(n, lambda i: f"f{i} = a -> a + x * {i % 9}f0") + "    s = 0f0\n" + lines(n, lambda i: f"s += f{i}(1f0)") + "    y[1] = s\n")


# ---- types

@shape()
def fields(n):
    names = "; ".join(f"a{i}::Float32" for i in range(n))
    return f"struct S; {names}; end\n" + kernel("    x = y[1]\n    s = S(" + ", ".join("x" for i in range(n)) + f")\n    y[1] = s.a0 + s.a{n - 1}\n")


@shape(limit=PARTS, beyond="more than 20000 parts")
def tuple_literal(n):
    return kernel("    x = y[1]\n    t = (" + ", ".join(f"x * {i % 9}f0" for i in range(n)) + f")\n    y[1] = t[1] + t[{n}]\n")


@shape(limit=PARTS, beyond="more than 20000 parts", known={"ptx0": 1.4, "native2": 1.4})
def tuple_sum(n):
    return kernel("    x = y[1]\n    t = (" + ", ".join(f"x * {i % 9}f0" for i in range(n)) + ")\n    y[1] = sum(t)\n")


@shape(short=400, long=700)
def tuple_made(n):
    return kernel(f"    x = y[1]\n    t = ntuple(i -> x * i, Val({n}))\n    y[1] = t[1] + t[{n}]\n")


@shape(short=400, long=700)
def tuple_indexed(n):
    return kernel(f"    x = y[1]\n    t = ntuple(i -> x * i, Val({n}))\n    s = 0f0\n    for i in 1:{n}; s += t[i]; end\n    y[1] = s\n")


@shape(VECTOR, "Int64", limit=PARTS, beyond="more than 20000 parts", short=2000, known={"2": 2.2, "ptx0": 1.4})
def tuple_indexed_at_run_time(n):
    return kernel("    x = y[1]\n    t = (" + ", ".join(f"x * {i % 9}f0" for i in range(n)) + ")\n    y[1] = t[j]\n", "y, j")


@shape(short=1000, long=4000, known=2.0)
def nested_types(n):
    return "struct W{T}; x::T; end\n" + kernel("    w0 = y[1]\n" + lines(n, lambda i: f"w{i + 1} = W(w{i})") + "    y[1] = w0\n")


# ---- text

@shape()
def a_long_string(n):
    return kernel(f'    @cuprintln("{"kiln " * n}")\n    y[1] = 1f0\n')


@shape()
def comments(n):
    return "#=" * n + "=#" * n + "\n" + "# text\n" * n + kernel("    y[1] = 1f0\n")


@shape()
def evals_in_a_loop(n):
    return f"for i in 1:{n}\n    @eval $(Symbol(:f, i))(x) = x + $i\nend\n" + kernel(f"    y[1] = f{n}(y[1])\n")


@shape(types=lambda n: [VECTOR] + ["Int64"] * n, short=2000, long=4000, known={"2": 1.9, "ptx0": 1.9})
def kernel_arguments(n):
    return kernel("    y[1] = " + " + ".join(f"a{i}" for i in range(n)) + "\n", "y, " + ", ".join(f"a{i}" for i in range(n)))
