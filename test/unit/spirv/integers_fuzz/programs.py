# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random functions in LLVM IR, each with its meaning as a Python function."""
from numbers_of_llvm import (BINARY, BINARY_INTRINSICS, FLOATS, UNARY_INTRINSICS, bits_of, compare, cut, exact, float_of, funnel, layout, load,
                             overflows, saturated_integer, signed, store, to_float)

ODD = [2, 3, 5, 7, 9, 12, 17, 24, 31, 33, 40, 48, 56, 63, 65, 72, 80, 96, 100, 127]
WIDTHS = ODD + [8, 16, 32, 64, 128, 128, 128]
BUFFER = 64 # bytes
ORDERS = ["ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"]


class Value:
    """An operand: its text, its width, and its value in an environment."""

    def __init__(self, text, width, get):
        self.text, self.width, self.get = text, width, get

    def __str__(self):
        return f"i{self.width} {self.text}"


def constant(value, width):
    bits = cut(value, width)
    return Value(str(signed(bits, width)), width, lambda env: bits)


class Function:
    """Writes one function. `steps` are Python functions that change an environment in the order of execution."""

    def __init__(self, random, name, module):
        self.random, self.name, self.module = random, name, module
        self.lines, self.steps, self.pool = [], [], []
        self.count, self.block, self.depth = 0, "entry", 0

    def fresh(self):
        self.count += 1
        return f"%v{self.count}"

    def line(self, text):
        self.lines.append("  " + text)

    def define(self, text, width, meaning):
        """Adds `%v = text`. The meaning gets the environment; its result is cut to the width."""
        name = self.fresh()
        self.line(f"{name} = {text}")
        self.steps.append(lambda env: env.__setitem__(name, cut(meaning(env), width)))
        value = Value(name, width, lambda env: env[name])
        self.pool.append(value)
        return value

    def write(self, text):
        """Adds an instruction whose result is no integer. Returns its name."""
        name = self.fresh()
        self.line(f"{name} = {text}")
        return name

    def start(self, block):
        self.lines.append(block + ":")
        self.block = block

    # ---- operands

    def width(self):
        return self.random.choice(WIDTHS)

    def number(self, width):
        kind = self.random.randrange(4)
        if kind == 0:
            return self.random.choice([0, 1, -1, 1 << (width - 1), (1 << (width - 1)) - 1])
        if kind == 1:
            return 1 << self.random.randrange(width)
        return self.random.getrandbits(width) >> self.random.randrange(width)

    def operand(self, width):
        same = [value for value in self.pool if value.width == width]
        if same and self.random.random() < 0.7:
            return self.random.choice(same[-6:])
        if self.random.random() < 0.2:
            return constant(self.number(width), width)
        return self.resize(self.random.choice(self.pool[-12:]), width)

    def resize(self, value, width):
        if value.width == width:
            return value
        if value.width > width:
            return self.define(f"trunc {value} to i{width}", width, value.get)
        if self.random.random() < 0.5:
            return self.define(f"zext {value} to i{width}", width, value.get)
        return self.define(f"sext {value} to i{width}", width, lambda env: signed(value.get(env), value.width))

    def binary(self, name, x, y, flags=""):
        w = x.width
        return self.define(f"{name} {flags}{x}, {y.text}", w, lambda env: BINARY[name](x.get(env), y.get(env), w))

    def call(self, intrinsic, width, x, *others, meaning, suffix=None):
        operands = ", ".join(map(str, (x, *others)))
        return self.define(f"call i{width} @llvm.{intrinsic}.{suffix or f'i{x.width}'}({operands})", width, meaning)

    def amount(self, width):
        """A shift amount below the width."""
        if self.random.random() < 0.5:
            return constant(self.random.randrange(width), width)
        return self.binary("urem", self.operand(width), constant(width, width))

    def condition(self):
        w = self.width()
        x, y = self.operand(w), self.operand(w)
        predicate = self.random.choice(["eq", "ne"] + ORDERS)
        return self.define(f"icmp {predicate} {x}, {y.text}", 1, lambda env: compare(predicate, x.get(env), y.get(env), w))

    # ---- instructions

    def add_arithmetic(self):
        w = self.width()
        self.binary(self.random.choice(["add", "sub", "mul", "and", "or", "xor"]), self.operand(w), self.operand(w))

    def add_flagged(self):
        """Operations with flags that hold."""
        w = self.random.choice([w for w in WIDTHS if w > 2])
        one = constant(1, w)
        half = self.binary("lshr", self.operand(w), one)
        self.binary("add", half, self.binary("lshr", self.operand(w), one), "nuw ")
        self.binary("lshr", self.binary("shl", half, one, "nuw "), one, "exact ")
        self.define(f"zext nneg {half} to i128", 128, half.get) if w < 128 else None

    def add_shift(self):
        w = self.width()
        self.binary(self.random.choice(["shl", "lshr", "ashr"]), self.operand(w), self.amount(w))

    def add_division(self):
        w = self.width()
        x, y = self.operand(w), self.binary("or", self.operand(w), constant(1, w))
        name = self.random.choice(["udiv", "urem", "sdiv", "srem"])
        if name[0] == "s": # INT_MIN / -1 does not occur
            x = self.binary("ashr", x, constant(1, w))
        self.binary(name, x, y)

    def add_choice(self):
        w = self.width()
        c, x, y = self.condition(), self.operand(w), self.operand(w)
        self.define(f"select {c}, {x}, {y}", w, lambda env: x.get(env) if c.get(env) else y.get(env))
        self.define(f"freeze {x}", w, x.get)

    def add_unary_intrinsic(self):
        name = self.random.choice(list(UNARY_INTRINSICS))
        w = self.random.choice([w for w in WIDTHS if w % 16 == 0]) if name == "bswap" else self.width()
        x = self.operand(w)
        flag = [Value("false", 1, None)] if name in ("ctlz", "cttz", "abs") else []
        self.call(name, w, x, *flag, meaning=lambda env: UNARY_INTRINSICS[name](x.get(env), w))

    def add_binary_intrinsic(self):
        name, w = self.random.choice(list(BINARY_INTRINSICS)), self.width()
        x, y = self.operand(w), self.operand(w)
        self.call(name, w, x, y, meaning=lambda env: BINARY_INTRINSICS[name](x.get(env), y.get(env), w))

    def add_three_way(self):
        w, result = self.width(), self.random.choice([2, 8, 24, 32, 128])
        x, y = self.operand(w), self.operand(w)
        s = self.random.choice("us")
        self.call(s + "cmp", result, x, y, suffix=f"i{result}.i{w}",
                  meaning=lambda env: compare(s + "gt", x.get(env), y.get(env), w) - compare(s + "lt", x.get(env), y.get(env), w))

    def add_funnel(self):
        w, name = self.width(), self.random.choice(["fshl", "fshr"])
        x, y, n = self.operand(w), self.operand(w), self.operand(w)
        self.call(name, w, x, y, n, meaning=lambda env: funnel(name, x.get(env), y.get(env), n.get(env), w))

    def add_overflow(self):
        w, name = self.random.choice(WIDTHS + [1, 64, 64]), self.random.choice("us") + self.random.choice(["add", "sub", "mul"])
        x, y = self.operand(w), self.operand(w)
        both = self.write(f"call {{i{w}, i1}} @llvm.{name}.with.overflow.i{w}({x}, {y})")
        self.define(f"extractvalue {{i{w}, i1}} {both}, 0", w, lambda env: exact(name, x.get(env), y.get(env), w))
        self.define(f"extractvalue {{i{w}, i1}} {both}, 1", 1, lambda env: overflows(name, x.get(env), y.get(env), w))

    def add_float(self):
        """Integer to float to bits, and back to an integer that is wide enough."""
        kind, w = self.random.choice(list(FLOATS)), self.width()
        x, s = self.random.choice([self.operand, lambda w: self.near_tie(w, kind)])(w), self.random.choice("us")
        number = (lambda env: signed(x.get(env), w)) if s == "s" else x.get
        made = self.write(f"{s}itofp {x} to {kind}")
        size = FLOATS[kind][2]
        self.define(f"bitcast {kind} {made} to i{size}", size, lambda env: to_float(number(env), kind))
        wider = [r for r in WIDTHS if r > w]
        if not wider or (kind == "half" and w > 15):
            return
        scale = 0.5 ** self.random.randrange(4 if kind == "half" else 40)
        scaled = self.write(f"fmul {kind} {made}, {scale!r}" if kind == "double" else f"fmul {kind} {made}, 0x{bits_of(scale, 'double'):016x}")
        r = self.random.choice(wider)
        self.define(f"fpto{s}i {kind} {scaled} to i{r}", r, lambda env: int(float_of(to_float(number(env), kind), kind) * scale))

    def near_tie(self, w, kind):
        """An integer half-way between two floats, or next to it. Kiln cannot fold it, since an argument takes part."""
        digits = FLOATS[kind][0]
        shift = self.random.randrange(max(1, w - digits))
        bits = (self.random.choice([self.random.getrandbits(digits), (1 << digits) - 1]) << 1 | 1) << shift >> 1
        bits += self.random.choice([0, 0, 1, -1, 1 << shift // 2])
        zero = self.binary("and", self.resize(self.pool[0], w), constant(0, w))
        return self.binary("xor", zero, constant(bits, w))

    def add_saturating_float(self):
        kind, w, s = self.random.choice(list(FLOATS)), self.random.choice(ODD + [128]), self.random.choice("us")
        x = self.operand(FLOATS[kind][2])
        made = self.write(f"bitcast {x} to {kind}")
        self.define(f"call i{w} @llvm.fpto{s}i.sat.i{w}.{self.short(kind)}({kind} {made})", w,
                    lambda env: saturated_integer(float_of(x.get(env), kind), s, w))

    @staticmethod
    def short(kind):
        return {"half": "f16", "float": "f32", "double": "f64"}[kind]

    def add_vector(self):
        """Bits as a vector: reads an element, replaces another."""
        w, e = self.random.choice([(24, 8), (48, 16), (48, 8), (96, 32), (128, 64), (128, 32), (128, 8), (8, 1), (16, 8), (12, 1), (3, 1), (80, 16)])
        x, n = self.operand(w), w // e
        i, j = self.random.randrange(n), self.random.randrange(n)
        type_ = f"<{n} x i{e}>"
        vector = self.write(f"bitcast {x} to {type_}")
        self.define(f"extractelement {type_} {vector}, i32 {i}", e, lambda env: x.get(env) >> i * e)
        y = self.operand(e) if e > 1 else self.condition()
        changed = self.write(f"insertelement {type_} {vector}, {y}, i32 {j}")
        mask = ((1 << e) - 1) << j * e
        self.define(f"bitcast {type_} {changed} to i{w}", w, lambda env: x.get(env) & ~mask | y.get(env) << j * e)
        if w == 128:
            floats = self.write(f"bitcast {x} to <2 x double>")
            self.define(f"bitcast <2 x double> {floats} to i128", 128, x.get)

    def add_aggregate(self):
        a, b = self.width(), self.width()
        x, y, z, c = self.operand(a), self.operand(b), self.operand(b), self.condition()
        type_ = f"{{i{a}, [2 x i{b}]}}"
        first = self.write(f"insertvalue {type_} {{i{a} 1, [2 x i{b}] [i{b} 1, i{b} undef]}}, {x}, 0")
        inner = self.write(f"insertvalue [2 x i{b}] poison, {y}, 0")
        inner = self.write(f"insertvalue [2 x i{b}] {inner}, {z}, 1")
        second = self.write(f"insertvalue {type_} {first}, [2 x i{b}] {inner}, 1")
        chosen = self.write(f"select {c}, {type_} {first}, {type_} {second}")
        self.define(f"extractvalue {type_} {chosen}, 0", a, x.get)
        self.define(f"extractvalue {type_} {chosen}, 1, 0", b, lambda env: 1 if c.get(env) else y.get(env))
        part = self.write(f"extractvalue {type_} {second}, 1")
        self.define(f"extractvalue [2 x i{b}] {part}, 1", b, z.get)

    # ---- memory

    def address(self, width):
        """A place in the buffer, its alignment."""
        align = self.random.choice([1, 2, 4, 8])
        at = self.random.randrange(0, BUFFER - 16, align)
        return self.write(f"getelementptr i8, ptr %memory, i64 {at}"), at, align

    def add_load(self):
        w = self.random.choice(WIDTHS + [1])
        place, at, align = self.address(w)
        self.define(f"load i{w}, ptr {place}, align {align}", w, lambda env: load(env["memory"], at, w))

    def add_store(self):
        w = self.width()
        x = self.operand(w)
        place, at, align = self.address(w)
        self.line(f"store {x}, ptr {place}, align {align}")
        self.steps.append(lambda env: store(env["memory"], at, w, x.get(env)))

    def add_struct_in_memory(self):
        """A struct of three integers: stored whole, loaded by field and whole; distances of its fields."""
        types = [self.random.choice(WIDTHS + [1]) for _ in range(3)]
        type_ = "{" + ", ".join(f"i{w}" for w in types) + "}"
        offsets, size = layout(types)
        x = self.operand(types[1]) if types[1] > 1 else self.condition()
        variable = self.write(f"alloca {type_}")
        base = f"insertvalue {type_} zeroinitializer, {x}, 1"
        self.line(f"store {type_} {self.write(base)}, ptr {variable}")
        field = self.write(f"getelementptr {type_}, ptr {variable}, i32 0, i32 1")
        self.define(f"load i{types[1]}, ptr {field}", types[1], x.get)
        whole = self.write(f"load {type_}, ptr {variable}")
        self.define(f"extractvalue {type_} {whole}, 1", types[1], x.get)
        n = self.resize(self.operand(8), 64)
        far = self.write(f"getelementptr {type_}, ptr {variable}, i64 {n.text}, i32 2")
        start, end = self.write(f"ptrtoint ptr {variable} to i128"), self.write(f"ptrtoint ptr {far} to i128")
        self.define(f"sub i128 {end}, {start}", 128, lambda env: signed(n.get(env), 64) * size + offsets[2])

    def add_global(self):
        types = [self.random.choice(WIDTHS + [1]) for _ in range(3)]
        values = [cut(self.number(w), w) for w in types]
        type_ = "{" + ", ".join(f"i{w}" for w in types) + ", ptr}"
        name = f"@g{len(self.module)}"
        pointer = self.random.choice(["null", name])
        fields = ", ".join(f"i{w} {signed(v, w)}" if w > 1 else f"i1 {v}" for w, v in zip(types, values))
        self.module.append(f"{name} = internal constant {type_} {{{fields}, ptr {pointer}}}")
        i = self.random.randrange(3)
        field = self.write(f"getelementptr {type_}, ptr {name}, i64 0, i32 {i}")
        self.define(f"load i{types[i]}, ptr {field}", types[i], lambda env: values[i])
        offset = layout(types + [64])[0][3]
        self.define(f"load i8, ptr getelementptr (i8, ptr {name}, i64 {layout(types)[0][2]})", 8, lambda env: values[2])
        held = self.write(f"load ptr, ptr getelementptr (i8, ptr {name}, i64 {offset})")
        same = self.write(f"icmp eq ptr {held}, {name}")
        self.define(f"zext i1 {same} to i24", 24, lambda env: pointer == name)

    def run_steps(self, steps, env):
        for step in steps:
            step(env)
