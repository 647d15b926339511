# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Import graph of the Python package python/kiln, read from its syntax trees. The graph must have no cycle.

- Imports inside functions and under TYPE_CHECKING count.
- An import of a.b.c also needs the packages a and a.b, unless they are packages of the importing module.
- importlib.import_module and __import__ take a literal, which counts as an import. The modules in DYNAMIC may compute it.
- No module looks for another module of the package in sys.modules.
"""
import ast
import os

PACKAGE = "python/kiln"
DYNAMIC = {
    "python/kiln/_numba.py": "loads the module that the program's `import numba...` names",
    "python/kiln/_pickle.py": "loads the module that a pickle names",
}


class Module:
    def __init__(self, root, path):
        parts = path.removeprefix("python/").removesuffix(".py").split("/")
        self.path, self.is_package = path, parts[-1] == "__init__"
        self.name = ".".join(parts[:-1] if self.is_package else parts)
        with open(os.path.join(root, path), encoding="utf-8") as file:
            self.tree = ast.parse(file.read())

    def base(self, level):
        """The package that `level` leading dots name."""
        parts = self.name.split(".")
        return ".".join(parts[: len(parts) - level + self.is_package])


def read_modules(root):
    """Module by dotted name."""
    made = {}
    for folder, folders, files in os.walk(os.path.join(root, PACKAGE)):
        folders.sort()
        for name in sorted(files):
            if name.endswith(".py"):
                module = Module(root, os.path.relpath(os.path.join(folder, name), root))
                made[module.name] = module
    return made


def imported_names(module, names, report):
    """(dotted name, line) of each import in the module; `names` are the modules of the package."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = module.base(node.level) if node.level else ""
            source = ".".join(filter(None, (base, node.module)))
            for alias in node.names:
                name = f"{source}.{alias.name}"
                yield (name if name in names else source), node.lineno
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            literal = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
            if called.split(".")[-1] in ("import_module", "__import__"):
                if isinstance(literal, str) and not literal.startswith("."):
                    yield literal, node.lineno
                elif module.path not in DYNAMIC:
                    report(module.path, node.lineno, f"{called} of a computed name: import the module by its name")
            elif called == "sys.modules.get" and str(literal).split(".")[0] == "kiln" and module.path not in DYNAMIC:
                report(module.path, node.lineno, f"sys.modules.get({literal!r}): import the module")


def packages_of(name):
    parts = name.split(".")
    return [".".join(parts[:k]) for k in range(1, len(parts))]


def read_graph(root, report):
    """{module: {imported module: line}}"""
    modules = read_modules(root)
    names = {*modules, "kiln._kiln"}
    graph = {}
    for module in modules.values():
        own = {module.name, *packages_of(module.name)}
        edges = graph.setdefault(module.name, {})
        for name, line in imported_names(module, names, report):
            for needed in (*(each for each in packages_of(name) if each not in own), name):
                if needed in modules and needed != module.name:
                    edges.setdefault(needed, line)
    return modules, graph


def find_cycle(graph):
    """The modules of one cycle, the first one again at the end; None if there is none."""
    done = set()

    def visit(name, path):
        if name in path:
            return [*path[path.index(name) :], name]
        if name in done:
            return None
        for needed in sorted(graph[name]):
            if found := visit(needed, [*path, name]):
                return found
        done.add(name)
        return None

    return next((found for name in sorted(graph) if (found := visit(name, []))), None)


def layers(graph):
    """Modules by their layer: 0 imports nothing of the package, every other module imports from lower layers alone."""
    layer = {}

    def height(name):
        if name not in layer:
            layer[name] = max((height(needed) + 1 for needed in graph[name]), default=0)
        return layer[name]

    made = {}
    for name in sorted(graph):
        made.setdefault(height(name), []).append(name)
    return made


def check_python_imports(root, report):
    modules, graph = read_graph(root, report)
    if cycle := find_cycle(graph):
        steps = [f"{modules[a].path}:{graph[a][b]} imports {b}" for a, b in zip(cycle, cycle[1:])]
        report(modules[cycle[0]].path, graph[cycle[0]][cycle[1]], f"import cycle {' -> '.join(cycle)} ({'; '.join(steps)})")
    for path in DYNAMIC:
        if modules and not os.path.exists(os.path.join(root, path)) and len(modules) > 10:
            report(path, 1, "is in DYNAMIC but does not exist")
