#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kiln cache export --oci: the files of the image by Python's hashlib, gzip and tarfile; what skopeo and umoci make of it; and kernels that run from
its read-only folder, as another user, in sessions that must not compile.

    cache_image.py --kiln KILN --folder SCRATCH

A tool that is missing leaves its checks out, by name."""
import argparse
import gzip
import hashlib
import io
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile

parser = argparse.ArgumentParser()
for name in ("kiln", "folder"):
    parser.add_argument("--" + name, type=lambda text: pathlib.Path(text).absolute(), required=True)
options = parser.parse_args()
faults = 0
KERNELS = """using CUDA
function scale(y, a)
    i = threadIdx().x
    if i <= length(y)
        @inbounds y[i] *= a
    end
    return
end
function shift(y, a)
    i = threadIdx().x
    if i <= length(y)
        @inbounds y[i] += a
    end
    return
end
"""
CALLS = ["scale(CuDeviceVector{Float32,1}, Float32)", "shift(CuDeviceVector{Float32,1}, Float32)"]
NOBODY = 65534


def expect(condition, what):
    global faults
    print(("ok      " if condition else "FAILED  ") + what, flush=True)
    faults += not condition


def run(*words, prefix=(), **variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("KILN_")}
    environment.update({"KILN_CACHE_DIR": "", **variables})
    return subprocess.run([str(word) for word in (*prefix, *words)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, cwd=scratch)


def kiln(*words, **more):
    return run(options.kiln, *words, **more)


def has(tool):
    if shutil.which(tool):
        return True
    print(f"left out: {tool} is not installed")
    return False


def blob_of(layout, descriptor):
    algorithm, _, digest = descriptor["digest"].partition(":")
    content = (layout / "blobs" / algorithm / digest).read_bytes()
    expect(algorithm == "sha256" and hashlib.sha256(content).hexdigest() == digest and len(content) == descriptor["size"], f"digest and size of {descriptor['mediaType']}")
    return content


scratch = options.folder
if scratch.exists():
    subprocess.run(["chmod", "-R", "u+w", scratch], check=False)
    shutil.rmtree(scratch)
scratch.mkdir(parents=True)
(scratch / "kernels.jl").write_text(KERNELS, encoding="utf-8")
jobs = {"files": ["kernels.jl"], "jobs": CALLS, "targets": ["native", {"target": "ptx"}]}
(scratch / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")
filled = kiln("precompile", "jobs.json", "--cache", "cache")
if filled.returncode:
    sys.exit(filled.stdout)
entries = {path.relative_to(scratch / "cache").as_posix(): path.read_bytes() for path in (scratch / "cache/v1").glob("??/*")}

# ---- its files
exported = kiln("cache", "export", "--oci", "image", "--cache", "cache")
expect(exported.returncode == 0 and f"{len(entries)} entries written to image" in exported.stdout, exported.stdout.strip())
layout = scratch / "image"
expect(json.loads((layout / "oci-layout").read_text()) == {"imageLayoutVersion": "1.0.0"}, "oci-layout names its version")
index = json.loads((layout / "index.json").read_text())
(of_manifest,) = index["manifests"]
manifest = json.loads(blob_of(layout, of_manifest))
(of_layer,) = manifest["layers"]
config = json.loads(blob_of(layout, manifest["config"]))
layer = gzip.decompress(blob_of(layout, of_layer))
expect(len(list(layout.rglob("*"))) == 2 + 2 + 3, "nothing else is in the layout")
expect(config["rootfs"] == {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]}, "the config has the digest of the unpacked layer")
expect(config["config"]["Env"] == ["KILN_SHARED_CACHE_DIR=/var/cache/kiln"], "the config's environment names the folder")
machine = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
expect((config["os"], config["architecture"]) == ("linux", machine), "the config names the platform")
with tarfile.open(fileobj=io.BytesIO(layer)) as tar:
    members = tar.getmembers()
    files = {member.name: tar.extractfile(member).read() for member in members if member.isfile()}
    expect(files == {"var/cache/kiln/" + name: content for name, content in entries.items()}, "the layer has the folder's entries, byte for byte")
    expect(all(member.isfile() or member.isdir() for member in members), "it has files and folders alone")
    expect(all((m.uid, m.gid, m.mtime, m.mode) == (0, 0, 0, 0o755 if m.isdir() else 0o644) for m in members), "root owns all, and alone may write")
    names = [member.name for member in members]
    expect(len(set(names)) == len(names) and all("/" not in n or n.rpartition("/")[0] in names[: names.index(n)] for n in names), "each folder comes once, before what is in it")
    tar.extractall(scratch / "root", **({"filter": "fully_trusted"} if hasattr(tarfile, "data_filter") else {}))
kiln("cache", "export", "--oci", "again", "--cache", "cache")
expect((scratch / "again/index.json").read_bytes() == (layout / "index.json").read_bytes(), "a second export has the same digests")

# ---- other programs
if has("skopeo"):
    inspected = run("skopeo", "inspect", "oci:image")
    expect(inspected.returncode == 0 and of_layer["digest"] in inspected.stdout and "KILN_SHARED_CACHE_DIR" in inspected.stdout, "skopeo inspects it")
    copied = run("skopeo", "copy", "oci:image:latest", "oci:copied:kernels")
    expect(copied.returncode == 0 and (scratch / "copied/blobs/sha256" / of_layer["digest"][7:]).exists(), "skopeo copies it")
    packed = run("skopeo", "copy", "oci:image", "docker-archive:packed.tar:kernels:latest")
    expect(packed.returncode == 0, "skopeo packs it for docker load" + ("" if packed.returncode == 0 else ": " + packed.stdout))
if has("umoci"):
    unpacked = run("umoci", "unpack", "--rootless", "--image", "image:latest", "bundle")
    held = {path.relative_to(scratch / "bundle/rootfs/var/cache/kiln").as_posix(): path.read_bytes() for path in (scratch / "bundle/rootfs/var/cache/kiln").glob("v1/??/*")}
    expect(unpacked.returncode == 0 and held == entries, "umoci unpacks it without root" + ("" if unpacked.returncode == 0 else ": " + unpacked.stdout))

# ---- what runs from it
shared = scratch / "root/var/cache/kiln"
subprocess.run(["chmod", "-R", "a-w", scratch / "root"], check=True)
before = sorted((path.as_posix(), path.stat().st_mtime_ns) for path in (scratch / "root").rglob("*"))
prefix = ()
if os.geteuid() == 0 and has("setpriv"):
    prefix = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
    if run("test", "-x", options.kiln, "-a", "-r", shared / "v1", prefix=prefix).returncode:
        print("left out: another user cannot read the folder of this build")
        prefix = ()
else:
    print("left out: another user (only root can become one)")
for compile_for in (["--target", "native", "--kernel", "--emit", "obj"], ["--target", "ptx", "--emit", "asm"]):
    for call in CALLS:
        found = kiln("compile", "kernels.jl", call, *compile_for, "-o", "/dev/null", prefix=prefix, KILN_COMPILE="never", KILN_SHARED_CACHE_DIR=str(shared))
        expect(found.returncode == 0 and not found.stdout, f"{call[:5]} for {compile_for[1]} is a hit" + (": " + found.stdout if found.stdout else ""))
ran = kiln("run", "kernels.jl", "scale", "--arg", "[3f0]", "--arg", "2f0", "--device", "cpu", prefix=prefix, KILN_COMPILE="never", KILN_SHARED_CACHE_DIR=str(shared))
expect(ran.returncode == 0, "a kernel runs" + (": " + ran.stdout if ran.returncode else ""))
missed = kiln("compile", "kernels.jl", CALLS[0].replace("Float32", "Float64"), "-o", "/dev/null", prefix=prefix, KILN_COMPILE="never", KILN_SHARED_CACHE_DIR=str(shared))
expect(missed.returncode == 2 and "NotCompiled" in missed.stdout, "what it does not have is an error")
expect(before == sorted((path.as_posix(), path.stat().st_mtime_ns) for path in (scratch / "root").rglob("*")), "nothing was written to it")

# ---- what cannot be
for words, status, why in (
    (["--oci", "image"], 1, "image exists and is no empty folder"),
    (["--oci", "kernels.jl"], 1, "exists and is no empty folder"),
    (["--oci", "nowhere/image"], 1, "cannot write nowhere/image: No such file or directory"),
    (["--oci", "new", "--cache", "none"], 3, "has no entries"),
    (["--oci", "new", "file"], 2, "takes a FILE or --oci FOLDER"),
    ([], 2, "takes a FILE or --oci FOLDER"),
):
    refused = kiln("cache", "export", *words, *([] if "--cache" in words else ["--cache", "cache"]))
    expect(refused.returncode == status and why in refused.stdout, f"export {' '.join(words)}: {refused.stdout.strip()}")
if os.geteuid() == 0 and has("unshare"):
    (scratch / "small").mkdir()
    full = run("unshare", "--mount", "sh", "-c", f'mount -t tmpfs -o size=16k none small && {{ "{options.kiln}" cache export --oci small/image --cache cache; echo "status $?"; ls -A small; }}')
    expect(full.stdout.endswith("status 3\n") and "No space left on device" in full.stdout, "a full disk leaves nothing: " + full.stdout.strip())
expect(not list(scratch.glob("*.??????")) and not (scratch / "new").exists(), "nothing is left of what failed")
sys.exit(1 if faults else 0)
