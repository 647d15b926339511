# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random functions with branches, loops and calls (programs.py has the instructions)."""
from numbers_of_llvm import compare, cut
from programs import WIDTHS, Function, Value

STRAIGHT = [name for name in dir(Function) if name.startswith("add_")]


class Program(Function):
    def body(self, length):
        for _ in range(length):
            self.random.choice([getattr(self, name) for name in STRAIGHT + ["branch", "loop", "choose", "call_function"]])()

    def apart(self, length, width):
        """Instructions of a block of its own: their steps, and a value of the width. Nothing after the block uses them."""
        steps, pool = self.steps, self.pool
        self.steps, self.pool, self.depth = [], list(pool), self.depth + 1
        for _ in range(length):
            getattr(self, self.random.choice(STRAIGHT))()
        if self.depth < 2 and self.random.random() < 0.4:
            self.random.choice([self.branch, self.loop])()
        value = self.operand(width)
        own, self.steps, self.pool, self.depth = self.steps, steps, pool, self.depth - 1
        return own, value

    def merge(self, width, cases):
        """A phi of (block, value) pairs. The step that set env['case'] names the block that came before."""
        incoming = ", ".join(f"[{value.text}, %{block}]" for block, value in cases)
        return f"phi i{width} {incoming}"

    def branch(self):
        w, c, label = self.width(), self.condition(), self.fresh()[1:]
        self.line(f"br {c}, label %{label}.yes, label %{label}.no")
        arms = []
        for arm in ("yes", "no"):
            self.start(f"{label}.{arm}")
            steps, value = self.apart(2, w)
            arms.append((self.block, steps, value))
            self.line(f"br label %{label}.end")
        self.start(f"{label}.end")

        def meaning(env):
            _, steps, value = arms[0 if c.get(env) else 1]
            self.run_steps(steps, env)
            return value.get(env)
        self.define(self.merge(w, [(block, value) for block, _, value in arms]), w, meaning)

    def choose(self):
        """A switch over a small remainder, or over any value."""
        w, result, label = self.width(), self.width(), self.fresh()[1:]
        x = self.operand(w)
        if w > 2 and self.random.random() < 0.8:
            x = self.define(f"urem {x}, 3", w, lambda env, x=x: x.get(env) % 3)
        keys = [0, 1, (1 << w) - 1]
        entry = self.block
        self.line(f"switch {x}, label %{label}.end [" + " ".join(f"i{w} {key}, label %{label}.{i}" for i, key in enumerate(keys)) + "]")
        other = self.pool_value_before(result)
        arms = []
        for i in range(len(keys)):
            self.start(f"{label}.{i}")
            steps, value = self.apart(1, result)
            arms.append((self.block, steps, value))
            self.line(f"br label %{label}.end")
        self.start(f"{label}.end")

        def meaning(env):
            if x.get(env) not in keys:
                return other.get(env)
            _, steps, value = arms[keys.index(x.get(env))]
            self.run_steps(steps, env)
            return value.get(env)
        self.define(self.merge(result, [(entry, other)] + [(block, value) for block, _, value in arms]), result, meaning)

    def pool_value_before(self, width):
        """A value that needs no new instruction."""
        same = [value for value in self.pool if value.width == width]
        bits = cut(self.random.getrandbits(128), width)
        return self.random.choice(same) if same else Value(str(bits), width, lambda env: bits)

    def loop(self):
        """Two phis that swap places in each turn: an accumulator and a second value."""
        w, counter, label = self.width(), self.random.choice([5, 24, 65, 128]), self.fresh()[1:]
        turns = self.random.randrange(1, 5)
        first, second, entry = self.operand(w), self.operand(w), self.block
        self.line(f"br label %{label}.loop")
        self.start(f"{label}.loop")
        names = [self.fresh() for _ in range(3)]
        at = len(self.lines)
        pool = self.pool
        self.pool = pool + [Value(name, w, lambda env, name=name: env[name]) for name in names[:2]]
        steps, value = self.apart(2, w)
        self.pool = pool
        following, stop = self.fresh(), self.fresh()
        self.line(f"{following} = add i{counter} {names[2]}, 1")
        self.line(f"{stop} = icmp eq i{counter} {following}, {turns}")
        self.line(f"br i1 {stop}, label %{label}.end, label %{label}.loop")
        self.lines[at:at] = [f"  {names[0]} = phi i{w} [{first.text}, %{entry}], [{names[1]}, %{self.block}]",
                             f"  {names[1]} = phi i{w} [{second.text}, %{entry}], [{value.text}, %{self.block}]",
                             f"  {names[2]} = phi i{counter} [0, %{entry}], [{following}, %{self.block}]"]
        self.start(f"{label}.end")

        def meaning(env):
            env[names[0]], env[names[1]] = first.get(env), second.get(env)
            for turn in range(turns):
                self.run_steps(steps, env)
                if turn + 1 < turns:
                    env[names[0]], env[names[1]] = env[names[1]], value.get(env)
            return value.get(env)
        self.define(f"freeze {value}", w, meaning)

    def call_function(self):
        """A function with such integers as parameters and as results, which Kiln inlines."""
        a, b = self.width(), self.width()
        x, y = self.operand(a), self.operand(b)
        name = f"@callee{len(self.module)}"
        self.module.append(f"define internal {{i{b}, i{a}}} {name}(i{a} %x, [1 x i{b}] %y) {{\n"
                           f"  %c = icmp sgt i{a} %x, 1\n  %s = extractvalue [1 x i{b}] %y, 0\n  br i1 %c, label %yes, label %no\n"
                           f"yes:\n  %p = insertvalue {{i{b}, i{a}}} poison, i{b} %s, 0\n  %q = insertvalue {{i{b}, i{a}}} %p, i{a} %x, 1\n"
                           f"  ret {{i{b}, i{a}}} %q\nno:\n  ret {{i{b}, i{a}}} {{i{b} 1, i{a} -1}}\n}}")
        array = self.write(f"insertvalue [1 x i{b}] undef, {y}, 0")
        both = self.write(f"call {{i{b}, i{a}}} {name}({x}, [1 x i{b}] {array})")
        self.define(f"extractvalue {{i{b}, i{a}}} {both}, 0", b, lambda env: y.get(env) if compare("sgt", x.get(env), cut(1, a), a) else 1)
        self.define(f"extractvalue {{i{b}, i{a}}} {both}, 1", a, lambda env: x.get(env) if compare("sgt", x.get(env), cut(1, a), a) else -1)


def make(random, name, module, length):
    """Adds the function `name` to the module, a list of texts. Returns its meaning: (four arguments, bytearray) -> result."""
    program = Program(random, name, module)
    program.pool = [Value(f"%a{i}", 64, lambda env, i=i: env[f"a{i}"]) for i in range(4)]
    for width in random.sample(WIDTHS, 3):
        program.operand(width)
    program.body(length)
    total = program.pool[0]
    for value in list(program.pool[4:]):
        for at in range(0, value.width, 64): # each 64 bits of it
            part = value if at == 0 else program.define(f"lshr {value}, {at}", value.width, lambda env, value=value, at=at: value.get(env) >> at)
            if part.width != 64:
                part = program.define(f"{'zext' if part.width < 64 else 'trunc'} {part} to i64", 64, part.get)
            turned = program.binary("mul", total, Value("6364136223846793005", 64, lambda env: 6364136223846793005))
            total = program.binary("xor", turned, part)
    program.line(f"ret {total}")
    arguments = ", ".join(f"i64 %a{i}" for i in range(4))
    module.append(f"define i64 @{name}({arguments}, ptr %memory) {{\nentry:\n" + "\n".join(program.lines) + "\n}")

    def meaning(values, memory):
        env = {"memory": memory, **{f"a{i}": value for i, value in enumerate(values)}}
        program.run_steps(program.steps, env)
        return total.get(env)
    return meaning
