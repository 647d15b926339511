# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""status.py N COMMAND...: runs COMMAND with its output passed on; fails unless its exit status is N."""
import subprocess
import sys

wanted, command = int(sys.argv[1]), sys.argv[2:]
got = subprocess.run(command, stdin=subprocess.DEVNULL).returncode
if got != wanted:
    sys.exit(f"status.py: exit status {got}, not {wanted}: {command}")
