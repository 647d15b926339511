# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""determinism.py KILN COMPILE_JOBS [PROCESSES]: compiles the same jobs in 24 processes or more, in different orders, after others,
on several threads, in different surroundings, from definitions in different orders (jobs of -g0), and by the program kiln; every job
must give the same bytes everywhere."""
import concurrent.futures
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile

ARRAY = "CuDeviceVector{Float32,1}"
INTS = "CuDeviceVector{Int32,1}"
CALLS = [
    f"calls({ARRAY}, CuDeviceVector{{Float64,1}})",
    f"calls({INTS}, {ARRAY})",
    "recursive(CuDeviceVector{Int64,1})",
    f"throws({INTS}, Int32)",
    f"reduce_block({ARRAY}, {ARRAY}, typeof(+))",
    f"reduce_block({ARRAY}, {ARRAY}, typeof(min))",
    f"closures({ARRAY}, Float32)",
    f"faults({ARRAY})",
]
KINDS = [("ptx", "asm", 1), ("ptx", "asm", 2), ("ptx", "llvm", 1), ("native", "asm", 1), ("native", "obj", 2), ("native", "typed", 1), ("ptx", "asm", 0), ("native", "obj", 0)]
ORDERS = ["forward", "forward", "backward", "again", "threads", "threads"] + [str(seed) for seed in range(1, 15)] + ["shuffled 1", "shuffled 2", "shuffled threads", "shuffled threads", "workers", "worker threads"]


def more_orders(count, generator):
    for _ in range(count):
        order = generator.choice(["threads", "again", str(generator.randrange(1, 1 << 30))])
        yield generator.choice(["", "shuffled "]) + order


def shuffled(path, into, generator):
    """The file with its definitions in another order."""
    with open(path, encoding="utf-8") as file:
        blocks = file.read().split("\n\n")
    rest = [b for b in blocks if b.startswith(("#", "using"))]
    functions = [b for b in blocks if b not in rest]
    assert len(functions) > 5
    generator.shuffle(functions)
    with open(into, "w", encoding="utf-8") as file:
        file.write("\n\n".join(rest + functions) + "\n")
    return into


def main():
    kiln, compile_jobs = (os.path.abspath(path) for path in sys.argv[1:3])
    generator = random.Random(3)
    orders = ORDERS + list(more_orders(int(sys.argv[3]) - len(ORDERS) if len(sys.argv) > 3 else 0, generator))
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels.jl")
    jobs = [(target, emit, level, call) for call in CALLS for target, emit, level in KINDS]
    plain = {name: value for name, value in os.environ.items() if not name.startswith("KILN_")} | {"KILN_CACHE_DIR": "", "KILN_WORKER": kiln}
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        listing = os.path.join(scratch, "jobs")
        with open(listing, "w", encoding="utf-8") as file:
            file.writelines(f"{target} {emit} {level} {call}\n" for target, emit, level, call in jobs)

        def products(run, order):
            out = os.path.join(scratch, f"{run}")
            os.mkdir(out)
            # Surroundings that must not matter: an environment of another size, another folder, another locale.
            around = dict(plain, PADDING="x" * (137 * (run % 200)), LC_ALL="C" if run % 2 else "C.UTF-8")
            is_shuffled = order.startswith("shuffled")
            text = shuffled(source, os.path.join(out, "kernels.jl"), random.Random(run)) if is_shuffled else source
            subprocess.run([compile_jobs, text, listing, order.removeprefix("shuffled "), out], env=around, cwd=out if run % 3 else scratch, check=True)
            made = []
            for i in range(len(jobs)):
                with open(os.path.join(out, str(i)), "rb") as file:
                    made.append(file.read())
            shutil.rmtree(out)
            return run, order, is_shuffled, made

        first = products(0, orders[0])[3]
        wrong += [f"{job}: nothing came out" for job, product in zip(jobs, first) if not product]
        with concurrent.futures.ThreadPoolExecutor() as pool:
            for run, order, is_shuffled, made in pool.map(products, range(1, len(orders)), orders[1:]):
                for job, mine, theirs in zip(jobs, first, made):
                    same_text = not is_shuffled or (job[2] == 0 and not job[3].startswith("faults"))  # errors name places
                    if mine != theirs and same_text:
                        wrong.append(f"{job}: process {run} ({order}) gives other bytes")
        for i, (target, emit, level, call) in enumerate(jobs):
            path = os.path.join(scratch, "product")
            command = [kiln, "compile", source, call, "--target", target, "--emit", emit, f"-g{level}", "-o", path]
            done = subprocess.run(command + (["--arch", "sm_90"] if target == "ptx" else []), env=plain, capture_output=True, check=False)
            product = open(path, "rb").read() if done.returncode == 0 else done.stderr
            if product.strip() != first[i].strip():
                wrong.append(f"{shlex.join(command)}: other bytes than in a process that compiles more")
            if done.returncode == 0:
                os.remove(path)
        # What the kernels are for: code with calls in it, and an error where there is one.
        for i, (target, emit, level, call) in enumerate(jobs):
            if (target, emit) == ("ptx", "asm") and call.startswith(("calls", "recursive")) and b"call.uni" not in first[i]:
                wrong.append(f"{call}: no call is left in its PTX")
            if call.startswith("faults") and emit != "typed" and emit != "llvm" and b"InvalidIRError" not in first[i]:
                wrong.append(f"{call}: no error")
    print(f"{len(jobs)} jobs in {len(orders)} processes and by the program")
    sys.exit("\n".join(wrong) or 0)


main()
