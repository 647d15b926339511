# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""stack.py KILOBYTES COMMAND...: runs a command whose main thread has a stack of this size, and so have threads it starts, as `ulimit -s` does."""
import os
import resource
import sys

size = int(sys.argv[1]) * 1024
resource.setrlimit(resource.RLIMIT_STACK, (size, resource.getrlimit(resource.RLIMIT_STACK)[1]))
os.execvp(sys.argv[2], sys.argv[2:])
