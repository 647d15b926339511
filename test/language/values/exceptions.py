# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What groups leave out on a kind of device, with the reasons. Keys: "group", or "group:what", where a group asks on_device(what)."""
import os

#: kind of device of KILN_VALUES_DEVICE: {group or group:what: reason}
EXCEPTIONS = {
    "opencl": {
        "blackwell": "tensor memory and tcgen05 are hardware of NVIDIA's",
        "hopper": "tensor maps, mbarriers that count bytes and wgmma are hardware of NVIDIA's",
        "barriers:one_throws": "a barrier of OpenCL's is for all threads of a block: what others read after one has thrown is undefined (docs/guide/opencl.md)",
        "control:loops": "Intel's CPU driver 2026.22 crashes as it vectorises `a, b = b, a + b` (docs/spirv-back-end.md)",
        "device:read_only": "it reads a clock, and a kernel has none in OpenCL",
        "examples:wmma_matmul": "wmma is hardware of NVIDIA's; the library's substitute keeps Intel's compiler busy for more than 300 s",
        "warps:early_exit": "a barrier of OpenCL's is for all threads of a block, also for those that have returned",
        "warps:limits": "an OpenCL device has limits of its own, which test/unit/opencl tests",
        "warps:grid_rounds": "a barrier of the grid waits for blocks that OpenCL need not run at the same time",
        "wmma": "wmma is hardware of NVIDIA's; the library's substitute keeps Intel's compiler busy for more than 300 s",
    },
}


def device_kind():
    return os.environ.get("KILN_VALUES_DEVICE", "cpu").partition(":")[0]


def reason_for(key):
    """Why the group, or the part "group:what" of it, is left out on this device; empty: it runs."""
    return EXCEPTIONS.get(device_kind(), {}).get(key, "")


def on_device(key):
    """True if the part runs here. What is left out is printed."""
    reason = reason_for(key)
    if reason:
        print(f"{key}: left out: {reason}")
    return not reason
