# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails unless standard input is empty."""
import sys

text = sys.stdin.read()
if text:
    sys.exit(f"expected nothing, got: {text[:200]}")
