#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the order of the house: check.py REPOSITORY [--diagram]. Prints every violation; exit status 1 if there is one.

- An include points down: never up, never sideways to a component of the same layer.
- Of another component only the header of its own name is included (and .def lists, and what SECOND_HEADERS names).
- add_component's DEPENDS points down as well.
- A component that cmake/components.txt marks "public" includes public headers alone; one marked "client" does not see the session's parts.
- A public header includes public headers of its layer and below (cmake/public_headers.txt).
- kiln/extension/language/internal/ is for Kiln's own components: public headers, tools/kiln, python/, test/system and docs/examples do not include it.
- The program (tools/kiln) includes public headers, and helpers without sessions (PROGRAM_HELPERS).
- kiln/*.h declare everything in the namespace of Kiln's version (versions.py).
- LLVM headers appear only in the components that are about LLVM, and never in include/kiln.
- Stages do not know which targets there are: they ask a target's capabilities.
- A component has its own tests in test/unit/<component>, and test/ has the folders that its README.md names.
- Retired words do not come back, and docs/architecture.md shows the layers as cmake/components.txt lists them.
- No code compares or searches the text of a diagnostic.
- The environment is read in one place, and the library writes to no stream but through its log.
- The modules of python/kiln import each other without a cycle, imports in functions included (python_imports.py).
- C++ of the Python package calls Python by kiln._hooks alone.
- A file has at most 400 lines, one licence line, and a header one #pragma once.
"""
import os
import re
import subprocess
import sys

from python_imports import check_python_imports
from versions import check_versions, versioned_classes


class House:
    """cmake/components.txt, and the folders above all components."""

    def __init__(self, root):
        self.root = root
        self.layer, self.folder, self.llvm, self.public_only, self.clients = {}, {}, set(), set(), set()
        with open(os.path.join(root, "cmake", "components.txt"), encoding="utf-8") as file:
            for line in file:
                if line[0].isdigit():
                    layer, name, folder, *marks = line.split()
                    self.layer[name], self.folder[name] = int(layer), folder
                    if "LLVM" in marks:
                        self.llvm.add(name)
                    if "public" in marks:
                        self.public_only.add(name)
                    if "client" in marks:
                        self.clients.add(name)
        # The .jl files as bytes are used by the front-end's clients and the targets.
        self.layer["runtime"], self.folder["runtime"] = 6, "runtime"
        self.top = max(self.layer.values()) + 1
        for name in ("tools", "bench", "test"):
            self.layer[name], self.folder[name] = self.top, name
            self.llvm.add(name)
        self.public = {}  # the component of each public header
        with open(os.path.join(root, "cmake", "public_headers.txt"), encoding="utf-8") as file:
            for line in file:
                component, *headers = line.partition("#")[0].split() or [None]
                self.public.update({"kiln/" + header: "tools" if component == "all" else component for header in headers})

    def component_of(self, path):
        """The component a file belongs to: the one with the longest folder that holds it."""
        holders = [(len(folder), name) for name, folder in self.folder.items() if path.startswith(folder + "/")]
        return max(holders)[1] if holders else None

    def is_julia(self, name):
        """Is it the component julia, or one of its parts?"""
        return self.folder[name].startswith(JULIA)

    def is_c_api(self, name):
        """Is it the component c_api, c_base, or one of its parts?"""
        return name == "c_base" or (self.folder[name] + "/").startswith(C_API)

    def may_include(self, user, used):
        """None, or what is wrong with component `user` including component `used`."""
        if self.is_julia(used) and not self.is_julia(user) and user not in ("test", *(JULIA_USERS if used == "julia" else ())):
            return "only session and tools may know the Julia frontend" if used == "julia" else "only the Julia frontend knows its parts"
        if user == used or self.layer[user] == self.top:
            return None
        if self.layer[used] > self.layer[user]:
            return "upward include"
        if self.layer[used] == self.layer[user]:
            return "sideways include"
        return None


# Headers that others include beside the one of their component's name, because few need them and they would rebuild all.
SECOND_HEADERS = {"support/bytes.h", "support/cancellation.h", "support/strong_digest.h", "support/stop_state.h", "support/timed_lock.h", "job/product_name.h", "support/stack.h", "support/machine.h", "support/rank.h", "support/timing_page.h", "support/thread_name.h", "support/memory.h", "support/descriptor.h", "support/releasable_lock.h", "support/float_environment.h", "support/exceptions.h", "support/guard_target.h", "support/count.h", "support/shorten.h", "support/median.h", "support/signals.h", "support/unicode.h", "support/float_text.h", "support/headline.h", "support/read_number.h", "interp/cell.h", "interp/host_arrays.h"}

# Tests of several components, which include inner headers as a component's own tests do.
INNER_TESTS = ("test/campaigns/fuzz/", "test/campaigns/hedge/", "test/system/cli/options/")

# The folders of test/ (test/README.md): the labels of ctest, and helpers.
TEST_FOLDERS = {"campaigns", "language", "programs", "structure", "support", "system", "unit"}

# Headers that are not installed, and who does without them, as a program outside the tree does.
INTERNAL = "kiln/extension/language/internal/"
OUTSIDERS = ("include/", "tools/kiln/", "python/", "test/system/", "docs/examples/")

# What a client of the session does not see.
BEHIND_THE_API = ("session", "launch", "devices", "pipeline", "jit")

# The program stands on the public API and on these, which have no state of sessions: the command line's own tables of options, targets
# and GPUs, and what kiln doctor looks for.
PROGRAM = "tools/kiln/"
PROGRAM_HELPERS = {"support", "job", "targets", "host", "architectures", "ptx"}

# Only these may know that a Julia frontend exists; what lies in its folder are its parts.
JULIA = "lib/frontend/julia"
JULIA_USERS = ("session", "tools", "bench")

# The C API and its parts, which share what is behind handles.
C_API = "lib/c_api/"

# Words that Kiln no longer uses, and what it says instead.
RETIRED = {"room": "component", "llvm_border": "llvm_support", "look_out": "cancellation_point", "TargetKind": "TargetCapabilities, or the target's name",
           "is_ptx": "a field of TargetCapabilities", "KernelNotes": "KernelStats", "compile_and_tell": "compile_with_keys", "Keeping": "PersistPolicy",
           "was_deceived": "a stale record", "believe": "trust", "PreparedFunction": "LoadedFunction", "PreparedKernel": "Kernel", "PreparedCode": "CodeLoader",
           "JobResolver": "JobService", "JobCompiler": "JobService", "QuickTier": "KernelImprover", "Coarsener": "KernelImprover"}
RETIRED_WORD = re.compile(r"(?<![A-Za-z])(" + "|".join(RETIRED) + r")s?(?![a-z])")

# What a stage or rewrite may not ask a target: who it is. It asks its capabilities (lib/job/target.h).
TARGETS_OWN = re.compile(r"\b(PtxOptions|NativeOptions)\b")
KNOWS_TARGETS = ("targets/", "python/")
PRODUCT = ("lib/", "runtime/", "tools/", "targets/", "python/") # public headers declare the options, tests set them

# What a guest in another's process does not do by itself, with the files that are about it (strip_comments has been at work).
GUESTS = ("include/", "lib/", "targets/", "runtime/host/", "runtime/devices/", "runtime/bundle/")
GUEST_RULES = [
    (re.compile(r"\b(?:secure_)?getenv\b(?=\s*\()"), {"lib/support/environment.cpp"}, "read it with environment_variable (lib/support/environment.h)"),
    (re.compile(r"\b(?:std::(?:cout|cerr|clog|puts|printf)|(?:f|v|vf)?printf|f?puts|fwrite|perror|STDERR_FILENO|STDOUT_FILENO|stderr|stdout)\b|llvm::(?:errs|outs|dbgs)\b"),
     {"lib/support/log.cpp", "lib/support/descriptor.cpp", "lib/llvm_support/fatal_errors.cpp", "lib/programs/streams.cpp"}, "the library writes to no stream: give it to the session's log"),
    (re.compile(r"(?<!\w)(?:(?:std::)?fopen|openat|creat|::open|::dup)\b(?=\s*\()"), {"lib/support/descriptor.cpp"}, "open it with lib/support/descriptor.h, so that it takes no standard stream's number"),
    (re.compile(r"\b(?:std::)?(?:abort|exit|_exit|_Exit|quick_exit|terminate|setlocale|signal)\b(?=\s*\()"), set(), "the process is the embedder's"),
    (re.compile(r"\bsigaction\b(?=\s*\()"), {"runtime/host/interruption.cpp"}, "the process is the embedder's"), # while it is asked to interrupt kernels
]

# Code acts on a diagnostic's code and data. Its texts are for people.
READS_TEXT = (".cpp", ".h", ".py")
READS_TEXT_IN = ("lib/", "targets/", "runtime/", "tools/", "python/src/", "python/kiln/")
MESSAGE_TEXT = re.compile(r"\.(?:message|hint)\s*(?:\.(?:find|rfind|starts_with|ends_with|contains|substr|compare|startswith|endswith)\(|[!=]=)|\bin str\(error\)|what\(\)\.(?:find|starts_with|ends_with|contains|substr)\(")

LIMIT = 400
LONG_FILES = {}  # path: reason why this file may be longer

SOURCES = (".cpp", ".h", ".def", ".jl", ".py")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:<([^>]+)>|"([^"]+)")', re.M)


GENERATED_HEADERS = {"kiln/extension/language/abi_digest.h"}  # public, and made by the build
ROOT_FILES = {"CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md", "mkdocs.yml", "pyproject.toml", "x"}


def strip_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S)


def check_public_header(house, path, text, report):
    """A header of include/kiln: it includes public headers alone, of its own layer and below."""
    component = house.public.get(path.removeprefix("include/"))
    if component not in house.layer:
        report(path, 1, "cmake/public_headers.txt does not say which component implements it")
        return
    for match in INCLUDE.finditer(strip_comments(text)):
        angled, line = match[1] or "", text.count("\n", 0, match.start(0)) + 1
        first, _, rest = angled.partition("/")
        if first in ("llvm", "llvm-c"):
            report(path, line, f"<{angled}>: no LLVM header in the public API; a forward declaration will do")
        elif first == "kiln" and rest:
            check_public_include(house, component, angled, lambda text, line=line: report(path, line, text))
        elif first in house.layer and rest and os.path.isdir(os.path.join(house.root, house.folder[first])):
            report(path, line, f"<{angled}>: a public header includes public headers only")


def check_public_include(house, component, header, report):
    used = house.public.get(header)
    if used not in house.layer:
        report(f"<{header}> belongs to no component")
    elif wrong := house.may_include(component, used):
        report(f"<{header}>: {wrong}: {component} is in layer {house.layer[component]}, {used} in {house.layer[used]}")


def check_includes(house, path, text, report):
    component = house.component_of(path)
    if component is None:
        report(path, 1, "belongs to no component")
        return
    text = strip_comments(text)
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start(0)) + 1
        angled, quoted = match.groups()
        if quoted is not None:
            target = os.path.normpath(os.path.join(os.path.dirname(path), quoted))
            if not os.path.exists(os.path.join(house.root, target)):
                continue  # generated in the build folder, or found by include path
            if house.component_of(target) != component and house.layer[component] != house.top:
                report(path, line, f'"{quoted}" lies in another component; write <component/component.h>')
            continue
        first, _, rest = angled.partition("/")
        if first in ("llvm", "llvm-c"):
            if component not in house.llvm:
                report(path, line, f"<{angled}>: component {component} stays free of LLVM")
        elif first == "kiln" and rest:
            check_public_include(house, component, angled, lambda text, line=line: report(path, line, text))
        elif component in house.public_only and first in house.layer and first != component and not (house.is_julia(component) and house.is_julia(first)) \
                and not (house.is_c_api(component) and house.is_c_api(first)): # its parts without a session, and in builds that have them
            report(path, line, f"<{angled}>: {component} includes public headers alone")
        elif component in house.clients and first in BEHIND_THE_API and first != component:
            report(path, line, f"<{angled}>: {component} reaches the session by public headers alone: include <kiln/...>")
        elif path.startswith(PROGRAM) and first in house.layer and first not in PROGRAM_HELPERS:
            report(path, line, f"<{angled}>: tools/kiln uses the public API: include <kiln/...>")
        elif first in house.layer and rest and os.path.isdir(os.path.join(house.root, house.folder[first])):
            if wrong := house.may_include(component, first):
                report(path, line, f"<{angled}>: {wrong}: {component} is in layer {house.layer[component]}, {first} in {house.layer[first]}")
            elif rest != first + ".h" and not rest.endswith(".def") and first != component and angled not in SECOND_HEADERS:
                own_test = path.startswith((f"test/unit/{first}/", *INNER_TESTS))
                if not own_test:
                    report(path, line, f"<{angled}>: other components include <{first}/{first}.h> alone")


def check_internal(path, text, report):
    """Who stands outside of Kiln's components uses the installed headers alone."""
    if not path.startswith(OUTSIDERS) or path.startswith("include/" + INTERNAL):
        return
    text = strip_comments(text)
    for match in INCLUDE.finditer(text):
        if (match[1] or "").startswith(INTERNAL):
            report(path, text.count("\n", 0, match.start(0)) + 1, f"<{match[1]}>: it is for Kiln's own components, and not installed")


def check_depends(house, path, text, report):
    for match in re.finditer(r"add_component\s*\(\s*(\w+)([^)]*)\)", text):
        component, rest = match.groups()
        if component not in house.layer:
            report(path, 1, f"add_component({component}): no such component in cmake/components.txt")
            continue
        words = re.search(r"DEPENDS\s+([\w\s]*)", rest)
        for used in words.group(1).split() if words else []:
            if used in ("LLVM", "LINK"):
                break
            if used not in house.layer:
                report(path, 1, f"add_component({component}) depends on {used}, which is no component")
            elif wrong := house.may_include(component, used):
                report(path, 1, f"add_component({component}) depends on {used}: {wrong}")


def check_words(path, text, report):
    for number, line in enumerate(text.split("\n"), 1):
        if match := RETIRED_WORD.search(line):
            report(path, number, f"the word {match.group(1)}: Kiln says {RETIRED[match.group(1)]}")
        if path.startswith(PRODUCT) and not path.startswith(KNOWS_TARGETS) and (match := TARGETS_OWN.search(line)):
            report(path, number, f"{match.group(1)}: ask the target's capabilities (lib/job/target.h), not who it is")
        if path.endswith(READS_TEXT) and path.startswith(READS_TEXT_IN) and (match := MESSAGE_TEXT.search(line)):
            report(path, number, f"{match.group(0)}: decide by Diagnostic::code and its data (docs/howto/add-a-diagnostic.md), not by a text")


def check_guest(path, text, report):
    if not path.startswith(GUESTS) or not path.endswith((".cpp", ".h")):
        return
    text = re.sub(r'"(?:[^"\\\n]|\\.)*"', lambda m: '""', strip_comments(text))
    for pattern, allowed, instead in GUEST_RULES:
        if path not in allowed:
            for match in pattern.finditer(text):
                report(path, text.count("\n", 0, match.start()) + 1, f"{match.group(0)}: {instead}")


def check_diagram(house, report):
    """docs/architecture.md shows the layers as cmake/components.txt has them."""
    path = "docs/architecture.md"
    if not os.path.exists(os.path.join(house.root, path)):
        return
    with open(os.path.join(house.root, path), encoding="utf-8") as file:
        text = file.read()
    if diagram(house) not in text:
        report(path, 1, "its diagram of the layers is not that of cmake/components.txt:\n" + diagram(house))


def check_tests(house, report):
    """Tests lie where their labels come from: a component's own in test/unit/<component>."""
    folders = lambda path: {each.name for each in os.scandir(os.path.join(house.root, path)) if each.is_dir()}
    components = {name for name in house.layer if house.layer[name] != house.top} - {"runtime"}
    for name in sorted(components - folders("test/unit")):
        report("cmake/components.txt", 1, f"the component {name} has no tests of its own: test/unit/{name}")
    for name in sorted(folders("test/unit") - components):
        report(f"test/unit/{name}", 1, "no component has this name: see test/README.md")
    for name in sorted(folders("test") - TEST_FOLDERS):
        report(f"test/{name}", 1, "is none of TEST_FOLDERS: see test/README.md")


def diagram(house):
    """A line a layer, top to bottom."""
    layers = {}
    for name, folder in house.folder.items():
        if name != "runtime" and house.layer[name] != house.top:
            layers.setdefault(house.layer[name], []).append(name if folder.endswith("/" + name) and folder.startswith("lib/") and folder.count("/") == 1 or folder == name else f"{name} ({folder})")
    return "\n".join(f"{layer}  {'  '.join(layers[layer])}" for layer in sorted(layers, reverse=True))


def check_file(path, text, report):
    lines = text.count("\n") + (not text.endswith("\n"))
    if lines > LIMIT and path not in LONG_FILES:
        report(path, LIMIT + 1, f"{lines} lines; {LIMIT} is the limit, exceptions stand in LONG_FILES with a reason")
    if lines <= LIMIT and path in LONG_FILES:
        report(path, 1, "is short again: take it off LONG_FILES")
    if path.endswith((".cpp", ".h")):
        if not re.match(r"(//|/\*) SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n", text):
            report(path, 1, "does not start with the licence line")
    if path.endswith(".h") and "\n#pragma once\n" not in text and not re.fullmatch(r"include/kiln/(c|c_\w+|runtime_c)\.h", path): # C compilers of old know guards alone
        report(path, 1, "has no #pragma once")


def check_python(path, text, report):
    """The Python package stands on the public interface alone: kiln/*.h and the one for languages."""
    for line, include in enumerate(text.splitlines(), 1):
        named = re.match(r'#include <([^>]*)>', include)
        if named and re.search(r"^(llvm|clang|support|fmt|tbb|oneapi)/|^kiln/extension/llvm", named[1]):
            report(path, line, f"<{named[1]}>: the Python package includes public headers without LLVM alone")
        if imported := re.search(r'import_\("(kiln[^"]*)"\)', include):
            report(path, line, f"imports {imported[1]} by its name: add a function to kiln/_hooks.py")


def check_root(root, report):
    """Outputs of somebody's trials end up beside README.md."""
    if os.path.exists(os.path.join(root, ".git")):
        listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
        names = [name for name in listed if name and "/" not in name]
    else:
        names = [name for name in os.listdir(root) if os.path.isfile(os.path.join(root, name))]
    for name in sorted(names):
        if not name.startswith(".") and name not in ROOT_FILES:
            report(name, 1, "stands in the root, where ROOT_FILES has none of that name")


def check(root):
    house = House(root)
    violations = []
    report = lambda path, line, message: violations.append(f"{path}:{line}: {message}")
    classes = versioned_classes(root)
    check_root(root, report)
    for top in ("include", "lib", "targets", "runtime", "tools", "bench", "test", "python", "docs/examples"):
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders.sort()
            for name in sorted(files):
                path = os.path.relpath(os.path.join(folder, name), root)
                if name != "CMakeLists.txt" and not name.endswith(SOURCES):
                    continue
                with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
                    text = file.read()
                if name == "CMakeLists.txt":
                    if top not in ("python", "docs/examples"):
                        check_depends(house, path, text, report)
                    continue
                check_internal(path, text, report)
                if top == "docs/examples":
                    continue
                check_file(path, text, report)
                if path not in ("test/structure/check.py", "test/structure/self_test.py"):
                    check_words(path, text, report)
                if top == "python":
                    check_python(path, text, report)
                elif name.endswith((".cpp", ".h")):
                    (check_public_header if top == "include" else check_includes)(house, path, text, report)
                    check_guest(path, text, report)
                    check_versions(classes, path, strip_comments(text), report)
    check_diagram(house, report)
    check_tests(house, report)
    for header in house.public:
        if header not in GENERATED_HEADERS and not os.path.exists(os.path.join(root, "include", header)):
            report("cmake/public_headers.txt", 1, f"{header} does not exist")
    check_python_imports(root, report)
    for path in LONG_FILES:
        if not os.path.exists(os.path.join(root, path)):
            violations.append(f"{path}:1: is on LONG_FILES but does not exist")
    return violations


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[2] == "--diagram":
        print(diagram(House(sys.argv[1])))
        sys.exit(0)
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = check(sys.argv[1])
    print("\n".join(found) or "the house is in order")
    sys.exit(1 if found else 0)
