#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command in which programs for AArch64 start like the machine's own: emulate.py SYSROOT COMMAND...

The kernel hands these programs to QEMU (binfmt_misc), also those that other programs start. The setting is that of a namespace which ends
with the command: the system does not change. Needs qemu-aarch64-static (Debian: qemu-user-static) and Linux 6.7; with an older kernel, a
system on which these programs start already. Exit status 77: these programs cannot start here."""
import ctypes
import os
import shutil
import subprocess
import sys

QEMU = "qemu-aarch64-static"
# An ELF file of 64 bits, little-endian, whose e_type is ET_EXEC or ET_DYN and whose e_machine is EM_AARCH64.
MAGIC = r"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
MASK = r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
BINFMT = "/proc/sys/fs/binfmt_misc"
CLONE_NEWUSER, CLONE_NEWNS = 0x10000000, 0x00020000


def skip(reason: str):
    print(f"skipped: programs for AArch64 cannot run here: {reason}", file=sys.stderr)
    sys.exit(77)


def id_maps() -> dict[str, str]:
    """Contents of uid_map and gid_map: root keeps all its ids, so that tests can give files to other users. Others have their own alone."""
    if os.geteuid() != 0:
        return {"setgroups": "deny", "uid_map": f"{os.geteuid()} {os.geteuid()} 1", "gid_map": f"{os.getegid()} {os.getegid()} 1"}
    texts = {}
    for name in ("uid_map", "gid_map"):
        with open(f"/proc/self/{name}", encoding="ascii") as file:
            ranges = [line.split() for line in file]
        texts[name] = "".join(f"{first} {first} {count}\n" for first, _, count in ranges)
    return texts


def write_maps(process: int, texts: dict[str, str], start: int) -> int:
    """Runs outside the new namespace, where root may map all its ids. Waits for a byte from `start`. Returns an errno."""
    try:
        os.read(start, 1)
        for name, text in texts.items():
            with open(f"/proc/{process}/{name}", "w", encoding="ascii") as file:
                file.write(text)
    except OSError as error:
        return error.errno or 1
    return 0


def enter_namespace(emulator: str) -> None:
    """Registers the emulator in new user and mount namespaces. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    wait, begin = os.pipe()
    process, texts = os.getpid(), id_maps()
    helper = os.fork()
    if helper == 0:
        os._exit(write_maps(process, texts, wait))
    failed = libc.unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0
    reason = ctypes.get_errno()
    os.write(begin, b"x")
    mapped = os.waitstatus_to_exitcode(os.waitpid(helper, 0)[1])
    os.close(wait)
    os.close(begin)
    if failed:
        raise OSError(reason, "new namespaces")
    if mapped != 0:
        raise OSError(mapped, f"/proc/{process}/uid_map")
    if libc.mount(b"binfmt_misc", BINFMT.encode(), b"binfmt_misc", 0, None) != 0:
        raise OSError(ctypes.get_errno(), f"mounting {BINFMT}")
    with open(f"{BINFMT}/register", "w", encoding="ascii") as file:
        # F: the kernel opens the emulator now, so that it also serves programs in other roots.
        file.write(f":kiln-aarch64:M::{MAGIC}:{MASK}:{emulator}:F")


def starts(sysroot: str) -> bool:
    program = os.path.join(sysroot, "usr/lib/llvm-22/bin/llvm-config")
    try:
        return subprocess.run([program, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        return False


def main() -> int:
    if len(sys.argv) < 3:
        print("usage: emulate.py SYSROOT COMMAND...", file=sys.stderr)
        return 2
    sysroot, command = os.path.abspath(sys.argv[1]), sys.argv[2:]
    os.environ["QEMU_LD_PREFIX"] = sysroot
    if not starts(sysroot):
        emulator = shutil.which(QEMU)
        if not emulator:
            skip(f"{QEMU} is missing (Debian: qemu-user-static)")
        try:
            enter_namespace(emulator)
        except OSError as error:
            skip(f"{error.strerror}: {error.filename or os.strerror(error.errno or 0)}")
        if not starts(sysroot):
            skip(f"{QEMU} does not start a program of {sysroot}")
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"emulate.py: {command[0]} cannot run: {error.strerror}", file=sys.stderr)
        return 127


if __name__ == "__main__":
    sys.exit(main())
