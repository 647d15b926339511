#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""envelopes.py --tool TRUST_TOOL: the envelopes, keys and lists of docs/design/remote-trust.md, read and written without Kiln's code.

Python checks what Kiln signed, and Kiln opens what Python signed. Signatures are those of ed25519.py, which RFC 8032's vectors check first.
"""
import argparse
import hashlib
import json
import os
import random
import stat
import struct
import subprocess
import tempfile
import time

import ed25519

FIXED = struct.Struct("<8sII32s32sQq16s")
PREFIX = b"Kiln remote entry, signed header\n"


def check_vectors():
    """RFC 8032, section 7.1, tests 2 and 3."""
    for seed, key, message, signature in (
            ("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb", "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
             "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
            ("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7", "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
             "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a")):
        seed, key, message, signature = map(bytes.fromhex, (seed, key, message, signature))
        assert ed25519.public_key(seed) == key
        assert ed25519.sign(seed, message) == signature
        assert ed25519.verify(key, message, signature)
        assert not ed25519.verify(key, message + b"x", signature)


def key_id(key):
    return hashlib.sha256(key).digest()[:16]


def seal(seed, name, build, payload, when):
    header = FIXED.pack(b"KilnSeal", 1, len(build), name, hashlib.sha256(payload).digest(), len(payload), when, key_id(ed25519.public_key(seed))) + build
    return header + ed25519.sign(seed, PREFIX + header) + payload


def check_envelope(data, key, name, build, payload):
    """Fails unless `data` is the envelope of these, signed by the owner of `key` within the last minute."""
    fixed, rest = data[:FIXED.size], data[FIXED.size:]
    magic, version, build_size, found_name, digest, size, when, signer = FIXED.unpack(fixed)
    assert (magic, version, build_size, found_name) == (b"KilnSeal", 1, len(build), name)
    assert rest[:build_size] == build and rest[build_size + 64:] == payload
    assert digest == hashlib.sha256(payload).digest() and size == len(payload)
    assert 0 <= time.time() - when < 60
    assert signer == key_id(key)
    assert ed25519.verify(key, PREFIX + fixed + build, rest[build_size:build_size + 64])


class Tool:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *words, status=0):
        done = subprocess.run([self.program, *words], capture_output=True, text=True, check=False)
        assert done.returncode == status, (words, done)
        return done.stdout if status == 0 or not done.stderr else done.stderr

    def path(self, name, data=None):
        path = os.path.join(self.folder, name)
        if data is not None:
            with open(path, "wb") as file:
                file.write(data)
            os.chmod(path, 0o600)
        return path


def read(path):
    with open(path, "rb") as file:
        return file.read()


def check_keygen(tool):
    """Returns the seed and the public key of the files that Kiln wrote."""
    report = json.loads(tool.run("keygen", tool.path("writer"), "ci"))
    assert stat.S_IMODE(os.stat(tool.path("writer")).st_mode) == 0o600
    lines = [line for line in read(tool.path("writer")).decode().splitlines() if line and line[0] != "#"]
    word, digits = lines[0].split(" ")
    assert len(lines) == 1 and word == "ed25519-secret"
    key = ed25519.public_key(bytes.fromhex(digits))
    assert read(tool.path("writer.pub")) == f"ed25519 {key.hex()} name=ci\n".encode()
    assert report["id"] == key_id(key).hex()
    assert "exists already" in tool.run("keygen", tool.path("writer"), "ci", status=1)
    return bytes.fromhex(digits), key


def check_both_ways(tool, key, rng):
    """What Kiln seals Python reads, and the other way round."""
    seed = rng.randbytes(32)
    trusted = tool.path("list", f"ed25519 {ed25519.public_key(seed).hex()} name=python from=2026-01-01\n".encode())
    for size in (0, 1, 5000):
        name, payload, build = rng.randbytes(32), rng.randbytes(size), f"build-{size}"
        tool.run("seal", name.hex(), build, tool.path("writer"), tool.path("payload", payload), tool.path("sealed"))
        check_envelope(read(tool.path("sealed")), key, name, build.encode(), payload)

        sealed = seal(seed, name, build.encode(), payload, int(time.time()))
        tool.run("open", name.hex(), build, trusted, tool.path("sealed", sealed), tool.path("opened"))
        assert read(tool.path("opened")) == payload
        assert "[unknown key]" in tool.run("open", name.hex(), build, tool.path("writer.pub"), tool.path("sealed"), tool.path("opened"), status=1)
        assert "[wrong build]" in tool.run("open", name.hex(), build + "x", trusted, tool.path("sealed"), tool.path("opened"), status=1)
        assert "[wrong name]" in tool.run("open", rng.randbytes(32).hex(), build, trusted, tool.path("sealed"), tool.path("opened"), status=1)
        # A signature of the right key over something else: the header without the prefix.
        header = sealed[:FIXED.size + len(build)]
        forged = header + ed25519.sign(seed, header) + payload
        assert "[bad signature]" in tool.run("open", name.hex(), build, trusted, tool.path("sealed", forged), tool.path("opened"), status=1)
        tool.run("open", name.hex(), build, "-", tool.path("sealed"), tool.path("opened"))


def check_folder(tool, key, rng):
    """sign and verify over a store's folder."""
    os.mkdir(tool.path("store"))
    contents = {}
    for i in range(5):
        name, payload = rng.randbytes(32), rng.randbytes(100 * i)
        contents[name] = payload
        tool.run("seal", name.hex(), "b", "-", tool.path("payload", payload), tool.path("store/" + name.hex()))
    refused = json.loads(tool.run("verify", tool.path("writer.pub"), tool.path("store"), status=1))
    assert (refused["accepted"], refused["refused"]["unsigned"]) == (0, 5)
    signed = json.loads(tool.run("sign", tool.path("writer"), "-", tool.path("store")))
    assert (signed["signed"], signed["unchanged"]) == (5, 0)
    for name, payload in contents.items():
        check_envelope(read(tool.path("store/" + name.hex())), key, name, b"b", payload)
    assert json.loads(tool.run("verify", tool.path("writer.pub"), tool.path("store")))["accepted"] == 5

    names = list(contents)
    os.replace(tool.path("store/" + names[0].hex()), tool.path("store/" + names[1].hex()))
    refused = json.loads(tool.run("verify", tool.path("writer.pub"), tool.path("store"), status=1))
    assert (refused["accepted"], refused["refused"]["wrong name"]) == (3, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    options = parser.parse_args()
    print("seed", options.seed, flush=True)
    rng = random.Random(options.seed)
    check_vectors()
    with tempfile.TemporaryDirectory(prefix="kiln-trust-") as folder:
        tool = Tool(options.tool, folder)
        _, key = check_keygen(tool)
        check_both_ways(tool, key, rng)
        check_folder(tool, key, rng)
    print("signed entries agree")


if __name__ == "__main__":
    main()
