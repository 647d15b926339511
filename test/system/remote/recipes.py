#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recipes of docs/guide/fleet.md, taken from the page and run as far as one machine can.

    recipes.py --kiln KILN --agent KILN_AGENT --folder SCRATCH redis|ci|image|services|shards|queue|dashboard...

Servers, folders and ports of the page are replaced by the test's own. srun is a script that runs its command for each task, with Slurm's variables and
a node of its own: a cache folder and an agent. Exit status 77: a program or this build lacks something, which is printed."""
import argparse
import gzip
import io
import json
import os
import re
import shutil
import signal
import subprocess
import tarfile
import tempfile

from agent_client import expect, skip, wait_until
from servers import Redis, find

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../docs/guide/fleet.md")
KERNELS = 6
SOURCE = "using CUDA\n" + "".join(f"function kernel{n}(y, x)\n    i = threadIdx().x\n    @inbounds y[i] = muladd(x[i], {n}f0, y[i])\n    return\nend\n" for n in range(KERNELS + 1))
TYPES = "(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})"
MANIFEST = {"files": ["kernels.jl"], "targets": ["native"], "jobs": [f"kernel{n}{TYPES}" for n in range(KERNELS)]}
SRUN = """#!/bin/sh
# Runs its command as each of $TASKS tasks of Slurm, on a node for each.
for task in $(seq 0 $((TASKS - 1))); do
  (
    export SLURM_PROCID=$task SLURM_NTASKS=$TASKS KILN_CACHE_DIR="$NODES/$task/cache" KILN_AGENT="$NODES/$task/agent/agent.sock"
    mkdir -p "$NODES/$task"
    exec "$@"
  ) || touch "$NODES/failed" &
done
wait
test ! -e "$NODES/failed"
"""


def recipes():
    """{title: [(language, text), ...]} of the page's section Recipes."""
    with open(PAGE, encoding="utf-8") as file:
        section = re.search(r"^## Recipes\n(.*?)(?=^## |\Z)", file.read(), re.M | re.S).group(1)
    return {title.strip(): re.findall(r"^```(\w+)\n(.*?)^```$", body, re.M | re.S) for title, body in re.findall(r"^### (.*?)\n(.*?)(?=^### |\Z)", section, re.M | re.S)}


class Test:
    def __init__(self, options):
        self.kiln, self.agent_program = os.path.abspath(options.kiln), os.path.abspath(options.agent)
        self.folder = os.path.abspath(options.folder)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.work, self.keys, self.bin = (os.path.join(self.folder, name) for name in ("work", "keys", "bin"))
        self.nodes = tempfile.mkdtemp(prefix="kiln-nodes-")  # a socket's path is short
        self.agents = []  # environments in which an agent may run
        for each in (self.work, self.keys, self.bin):
            os.makedirs(each)
        self.write("work/kernels.jl", SOURCE)
        self.write("work/kernels.json", json.dumps(MANIFEST))
        self.write("bin/srun", SRUN, 0o755)
        # The program: all kernels without a compile.
        self.write("work/program", "#!/bin/sh\nexec kiln precompile kernels.json --compile never --cache \"$(mktemp -d \"$NODES/XXXXXX\")\"\n", 0o755)
        for name, program in (("kiln", self.kiln), ("kiln-agent", self.agent_program)):
            self.write(f"bin/{name}", f"#!/bin/sh\nexec '{program}' \"$@\"\n", 0o755)
        self.replaced = {"/etc/kiln": self.keys, "/etc/redis": os.path.join(self.folder, "redis"), "/mnt/kiln-cache": os.path.join(self.folder, "store"),
                         "/var/lib/node_exporter": os.path.join(self.folder, "node_exporter"), "/run/kiln": self.nodes, "/usr/bin/kiln-agent": self.agent_program}  # fmt: skip
        for name in ("redis", "store", "node_exporter"):
            os.makedirs(os.path.join(self.folder, name))
        self.recipes = recipes()

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def here(self, text):
        for name, own in self.replaced.items():
            text = text.replace(name, own)
        return text

    def block(self, title, number, language):
        """A block of a recipe, with the test's own places."""
        found = self.recipes[title][number]
        assert found[0] == language, (title, number, found[0])
        return self.here(found[1])

    def environment(self, node, **more):
        """Of a process on a node: the page's variables come from its own commands."""
        base = {name: value for name, value in os.environ.items() if not name.startswith(("KILN", "SLURM", "AWS", "OMPI"))}
        made = {**base, "PATH": self.bin + ":" + os.environ["PATH"], "HOME": self.folder, "NODES": self.nodes, "TASKS": "4", "SLURM_JOB_ID": "4711",
                "KILN_CACHE_DIR": os.path.join(self.nodes, node, "cache"), "KILN_AGENT": os.path.join(self.nodes, node, "agent/agent.sock"), **more}  # fmt: skip
        os.makedirs(os.path.join(self.nodes, node), exist_ok=True)
        self.agents.append(made)
        return made

    def run(self, script, environment, status=0):
        done = subprocess.run(["bash", "-euc", script], cwd=self.work, env=environment, capture_output=True, text=True, timeout=200, check=False)
        assert done.returncode == status, (script, done.returncode, done.stdout[-2000:], done.stderr[-3000:])
        return done

    def has_all(self, script, environment, what):
        """The commands' variables let an empty folder get each kernel from elsewhere."""
        done = self.run(script + "\nkiln precompile kernels.json --compile never --cache \"$(mktemp -d \"$NODES/XXXXXX\")\"", environment)
        expect("0 compiled" in done.stdout + done.stderr, what)

    def keygen(self):
        if not os.path.exists(os.path.join(self.keys, "writer")):
            self.run(self.here("kiln cache keygen /etc/kiln/writer --name ci"), self.environment("keygen"))

    def stop(self):
        sockets = {each["KILN_AGENT"]: each for each in self.agents}
        for node in os.listdir(self.nodes):
            path = os.path.join(self.nodes, node, "agent/agent.sock")
            if os.path.exists(path):
                sockets.setdefault(path, {**os.environ, "KILN_AGENT": path})
        for environment in sockets.values():
            subprocess.run([self.agent_program, "stop"], env=environment, capture_output=True, timeout=20, check=False)
        shutil.rmtree(self.nodes, ignore_errors=True)


class RecipeRedis(Redis):
    """redis-server with the page's files."""

    def __init__(self, test):
        super().__init__()
        blocks = [text for language, text in test.recipes["One Redis beside a cluster"] if language == "conf"]
        settings, users = blocks
        for old, new in (("port 6379", f"port {self.port}"), ("bind 0.0.0.0", "bind 127.0.0.1"), ("maxmemory 8gb", "maxmemory 64mb")):
            assert settings.count(old) == 1, old
            settings = settings.replace(old, new)
        test.write("redis/kiln.conf", test.here(settings))
        test.write("redis/kiln.acl", users)
        self.settings = os.path.join(test.folder, "redis/kiln.conf")
        test.replaced["cache.example:6379"] = f"127.0.0.1:{self.port}"

    def command(self):
        return [self.program, self.settings, "--dir", self.folder]


UPLOADED = "while kiln cache agent stat | grep -q '\"uploads_pending\":[1-9]'; do sleep 0.1; done"


def recipe_redis(test):
    with RecipeRedis(test) as server:
        test.keygen()
        variables = test.block("One Redis beside a cluster", 2, "sh")
        test.run(f"{variables}\nkiln precompile kernels.json\n{UPLOADED}", test.environment("first"))
        test.has_all(variables, test.environment("second"), "what the first node compiled, the second one gets from Redis")
        reader = ("--user", "reader", "--pass", "READER_PASSWORD", "--no-auth-warning")
        expect("NOPERM" in server.call("SET", "kiln:1:x", "y", login=reader) and "NOPERM" in server.call("KEYS", "*", login=reader), "a reader cannot write, nor list keys")
        expect("NOAUTH" in server.call("GET", "kiln:1:x"), "nobody else can read")


def recipe_ci(test):
    with RecipeRedis(test):
        title = "A CI that fills the cache"
        test.run(test.block(title, 0, "sh"), test.environment("author"))
        for name in ("writer", "writer.pub"):
            os.rename(os.path.join(test.work, name), os.path.join(test.keys, name))
        test.run(test.block(title, 1, "sh"), test.environment("ci"))
        reader = test.block(title, 2, "sh")
        environment = test.environment("client")
        test.has_all(reader, environment, "clients get what the CI compiled")
        test.run(f"{reader}\nkiln compile kernels.jl 'kernel{KERNELS}{TYPES}' --target native -o out", environment)
        (remote,) = json.loads(test.run("kiln cache agent stat", environment).stdout)["remotes"]
        expect(remote["hits"] > 0 and remote["uploads_taken"] == 0 and remote["refused"] == 0, "a client uploads nothing")


def unpack(image, root):
    """The layers of an OCI image layout."""

    def blob(digest):
        with open(os.path.join(image, "blobs", *digest.split(":")), "rb") as file:
            return file.read()

    with open(os.path.join(image, "index.json"), encoding="utf-8") as file:
        index = json.load(file)
    layers = json.loads(blob(index["manifests"][0]["digest"]))["layers"]
    for layer in layers:
        with tarfile.open(fileobj=io.BytesIO(gzip.decompress(blob(layer["digest"])))) as archive:
            archive.extractall(root, filter="fully_trusted")
    return len(layers)


def recipe_image(test):
    find("skopeo", "skopeo")
    title = "A cache in a container image"
    pushed = os.path.join(test.folder, "pushed")
    test.run(test.block(title, 0, "sh").replace("docker://registry.example/kernels:1", f"oci:{pushed}:1"), test.environment("build"))
    root = os.path.join(test.folder, "root")
    expect(unpack(pushed, root) == 1, "the image has one layer")
    base, copy, env = test.block(title, 1, "dockerfile").strip().splitlines()
    source, target = re.fullmatch(r"COPY --from=registry\.example/kernels:1 (\S+) (\S+)", copy).groups()
    expect(base.startswith("FROM ") and source == target and os.path.isdir(root + source), "the Dockerfile copies the folder to its own place")
    variables = dict(word.split("=", 1) for word in env.removeprefix("ENV ").split())
    variables["KILN_SHARED_CACHE_DIR"] = root + variables["KILN_SHARED_CACHE_DIR"]
    environment = test.environment("container", **variables)
    done = test.run("kiln precompile kernels.json", environment)
    expect("0 compiled" in done.stdout + done.stderr, "a container has all kernels")
    done = subprocess.run([test.kiln, "compile", "kernels.jl", f"kernel{KERNELS}{TYPES}", "--target", "native", "-o", "out"], cwd=test.work, env=environment, capture_output=True, text=True, timeout=60, check=False)
    expect(done.returncode != 0 and "NotCompiled" in done.stderr, "and a kernel that is missing is an error")


def read_yaml(text):
    """By PyYAML of the build's Python, since this one may have none."""
    venv = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../build/python-venv/bin/python")
    for python in (venv, "python3"):
        done = subprocess.run([python, "-c", "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)"], input=text, capture_output=True, text=True, check=False) if shutil.which(python) else None
        if done and done.returncode == 0:
            return json.loads(done.stdout)
        if done and "No module" not in done.stderr:
            raise AssertionError(done.stderr)
    return skip("no Python has PyYAML (PyPI: pyyaml)")


def variables_of(test, container):
    """The variables of a container, but those of secrets. Its mounts exist."""
    return {each["name"]: test.here(each["value"]) for each in container.get("env", [])}


def check_volumes(spec):
    volumes = {volume["name"] for volume in spec["volumes"]}
    mounted = {mount["name"] for kind in ("initContainers", "containers") for container in spec.get(kind, []) for mount in container.get("volumeMounts", [])}
    expect(mounted == volumes, f"volumes and mounts agree: {sorted(volumes)}")


def kubernetes_job(test, job):
    spec = job["spec"]["template"]["spec"]
    (container,) = spec["containers"]
    check_volumes(spec)
    count = job["spec"]["completions"]
    expect(job["spec"]["completionMode"] == "Indexed" and spec["restartPolicy"] == "OnFailure", "the Job is indexed")
    writer = test.here("redis://writer:WRITER_PASSWORD@cache.example:6379/1")
    compiled = 0
    for index in range(count):
        environment = test.environment(f"pod-{index}", JOB_COMPLETION_INDEX=str(index), KILN_REMOTE_CACHE=writer, **variables_of(test, container))
        done = subprocess.run([*container["command"], *map(test.here, container["args"])], cwd=test.work, env=environment, capture_output=True, text=True, timeout=100, check=False)
        assert done.returncode == 0, (index, done.stdout, done.stderr)
        compiled += int(re.search(r"(\d+) compiled", done.stdout + done.stderr).group(1))
    expect(compiled == KERNELS, f"{count} pods compile each kernel once")
    test.has_all(f"export KILN_REMOTE_CACHE={writer} KILN_REMOTE_TRUST_KEYS={test.keys}/writer.pub", test.environment("after-job"), "and upload it")


def kubernetes_pod(test, pod):
    """The agent of the sidecar gets the entries of a bucket, for a program without credentials."""
    from s3 import KEY, SECRET, SigningServer

    spec = pod["spec"]
    (sidecar,), (program,) = spec["initContainers"], spec["containers"]
    check_volumes(spec)
    expect(sidecar["restartPolicy"] == "Always" and "startupProbe" in sidecar, "the agent is a sidecar that starts before the program")
    secret = {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET}
    with SigningServer(bucket="bucket", region="eu-central-1") as server:
        endpoint = {"AWS_ENDPOINT_URL_S3": f"http://127.0.0.1:{server.port}"}
        url = variables_of(test, program)["KILN_REMOTE_CACHE"]
        filled = test.environment("filled", AWS_REGION="eu-central-1", KILN_REMOTE_CACHE=url, KILN_REMOTE_SIGN_KEY=os.path.join(test.keys, "writer"), **secret, **endpoint)
        test.run(f"kiln precompile kernels.json\n{UPLOADED}", filled)
        environment = test.environment("sidecar", **secret, **endpoint, **variables_of(test, sidecar))
        agent = subprocess.Popen([test.agent_program, *sidecar["command"][1:]], env=environment)
        try:
            probe = [test.agent_program, *sidecar["startupProbe"]["exec"]["command"][1:]]
            wait_until(lambda: subprocess.run(probe, env=environment, capture_output=True, check=False).returncode == 0, "the probe finds the agent")
            own = test.environment("program", **variables_of(test, program))
            expect(not any(name.startswith("AWS") for name in own), "the program has no credentials")
            test.run(" ".join(program["command"]), own)
            statistics = json.loads(test.run("kiln-agent stat", own).stdout)
            expect(statistics["process"] == agent.pid and statistics["remotes"][0]["hits"] >= KERNELS and not server.faults, "and gets its kernels from the sidecar's agent")
        finally:
            agent.send_signal(signal.SIGTERM)
            agent.wait(20)


def systemd_unit(test, unit):
    """The unit is valid, and its command serves."""
    command = re.search(r"^ExecStart=(.*)$", unit, re.M).group(1).split()
    environment = test.environment("unit", **dict(word.split("=", 1) for word in re.findall(r"^Environment=(.*)$", unit, re.M)))
    if shutil.which("systemd-analyze"):
        path = test.write("kiln-agent.service", unit)
        done = subprocess.run(["systemd-analyze", "verify", "--user", path], env={**environment, "XDG_RUNTIME_DIR": test.nodes}, capture_output=True, text=True, timeout=60, check=False)
        expect(done.returncode == 0 and not done.stderr, f"systemd takes the unit {done.stderr}")
    else:
        print("left out: systemd-analyze is not installed")
    agent = subprocess.Popen(command, env=environment)
    try:
        wait_until(lambda: subprocess.run([test.agent_program, "stat"], env=environment, capture_output=True, check=False).returncode == 0, "the unit's agent serves")
    finally:
        agent.send_signal(signal.SIGTERM)
        expect(agent.wait(20) == 0, "and ends when it is told to")


JOBS = "Slurm, Kubernetes and systemd"


def recipe_services(test):
    test.keygen()
    with RecipeRedis(test):
        systemd_unit(test, test.block(JOBS, 4, "ini"))
        kubernetes_pod(test, read_yaml(test.block(JOBS, 3, "yaml")))


def recipe_shards(test):
    test.keygen()
    with RecipeRedis(test):
        kubernetes_job(test, read_yaml(test.block(JOBS, 2, "yaml")))
        test.run(test.block(JOBS, 1, "sh"), test.environment("shards"))
        wait_for_uploads(test)
        test.has_all(f"export KILN_REMOTE_CACHE=file://{test.folder}/store KILN_REMOTE_TRUST_KEYS={test.keys}/writer.pub", test.environment("after-shards"), "four tasks fill a folder with their parts")


def recipe_queue(test):
    test.keygen()
    with RecipeRedis(test):
        test.run(test.block(JOBS, 0, "sh"), test.environment("queue"))
        expect(True, "four tasks share a queue, and the program finds all kernels")


def wait_for_uploads(test):
    """Until the agents of srun's nodes have uploaded all."""
    for node in os.listdir(test.nodes):
        path = os.path.join(test.nodes, node, "agent/agent.sock")
        if node.isdigit() and os.path.exists(path):
            test.run(UPLOADED, {**test.environment("stat"), "KILN_AGENT": path})


def recipe_dashboard(test):
    title = "A dashboard"
    test.keygen()
    with RecipeRedis(test):
        writer = f"export KILN_REMOTE_CACHE={test.here('redis://writer:WRITER_PASSWORD@cache.example:6379')} KILN_REMOTE_SIGN_KEY={test.keys}/writer"
        environment = test.environment("node")
        test.run(f"{writer}\nkiln precompile kernels.json\n{UPLOADED}", environment)
        test.run(test.block(title, 0, "sh"), environment)
        with open(os.path.join(test.folder, "node_exporter/kiln.prom"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        sample = re.compile(r'[a-zA-Z_:][a-zA-Z0-9_:]*(\{([a-zA-Z_]+="[^"]*",?)*\})? [-+0-9.eE]+')
        expect(len(lines) > 10 and all(line.startswith("# ") or sample.fullmatch(line) for line in lines), f"{len(lines)} lines of Prometheus' text")
        expect("WRITER_PASSWORD" not in "\n".join(lines), "without credentials")
        test.run(test.block(title, 1, "sh"), environment)
        with open(os.path.join(test.work, "fleet.html"), encoding="utf-8") as file:
            page = file.read()
        expect(all(f"rank {rank}" in page for rank in range(4)), "the page has a row for each rank")


RECIPES = {"redis": recipe_redis, "ci": recipe_ci, "image": recipe_image, "services": recipe_services, "shards": recipe_shards, "queue": recipe_queue, "dashboard": recipe_dashboard}


def main():
    parser = argparse.ArgumentParser()
    for name in ("kiln", "agent", "folder"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("recipes", nargs="+", choices=RECIPES)
    options = parser.parse_args()
    for name in options.recipes:
        test = Test(options)
        try:
            RECIPES[name](test)
        finally:
            test.stop()


if __name__ == "__main__":
    main()
