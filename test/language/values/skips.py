#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""skips.py KILN: group_blackwell.py skips on a GPU only what the compiler refuses for it. Needs no GPU."""
import os
import subprocess
import sys

import group_blackwell as blackwell

VECTOR = "CuDeviceVector{%s,1}"
REFUSED = [(blackwell.CLUSTER_LAUNCH, "sm_90a", f"stolen({VECTOR % 'Int64'}, {VECTOR % 'Int64'})"),
           (blackwell.TENSOR_MEMORY, "sm_90a", f"each_block({VECTOR % 'UInt32'})"), (blackwell.TENSOR_MEMORY, "sm_120a", f"each_block({VECTOR % 'UInt32'})"),
           (blackwell.INTEGERS, "sm_103a", f"integers({VECTOR % 'UInt32'})")]


class FakeKiln:
    """A run on a GPU that ends with this status and message."""

    def __init__(self, gpu, status, err):
        self.gpu, self.status, self.err = gpu, status, err

    def start(self, *_, **__):
        return None, "", self.err, self.status

    def gpu_architecture(self):
        return self.gpu


def main():
    wrong = []
    for (refusal, owners), arch, call in REFUSED:
        done = subprocess.run([sys.argv[1], "compile", os.path.join(os.path.dirname(os.path.abspath(__file__)), blackwell.FILE[0]), call, "--target", "ptx", "--arch", arch, "-o", os.devnull],
                              capture_output=True, text=True)
        if done.returncode != 1 or refusal not in done.stderr:
            wrong.append(f"{call} for {arch}: status {done.returncode}, not the refusal `{refusal}`\n{done.stderr}")
        for gpu, status, err, expected in (("sm_90", 0, "", True), ("sm_90", 1, f"error: {refusal}", False), (owners[0], 1, f"error: {refusal}", True),
                                           ("sm_90", 1, "AssemblerError: ptxas for sm_100: not supported", True), ("sm_100", 1, "DeviceError on a GPU of sm_100: illegal instruction", True)):
            if blackwell.has(FakeKiln(gpu, status, err), (refusal, owners), "entry", []) != expected:
                wrong.append(f"`{err}` on {gpu}: {'skipped' if expected else 'not skipped'}")
    print("\n".join(wrong) or "the skips are right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
