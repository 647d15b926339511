# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Optimised code has no register locations of variables: ptxas 13.0 miscompiles kernels at -g that have them. Variables
# in memory keep their locations.
# RUN: %kiln compile %s 'halves(CuDeviceVector{Int64,1}, Int64)' --target ptx -g2 --emit llvm-opt | %filecheck %s --check-prefix=IR
# IR-NOT: #dbg_value
# IR: define ptx_kernel
# IR-NOT: #dbg_value
# IR: !DISubprogram(name: "halves"
# RUN: %kiln compile %s 'halves(CuDeviceVector{Int64,1}, Int64)' --target ptx -g2 -O0 --emit llvm-opt | %filecheck %s --check-prefix=MEMORY
# MEMORY: #dbg_declare
#
# In PTX, a location that changes is an entry of .debug_loc.
# RUN: %kiln compile %s 'halves(CuDeviceVector{Int64,1}, Int64)' --target ptx -g2 | %filecheck %s --check-prefix=TEXT
# TEXT-NOT: .b64 $L__tmp
# TEXT: .section{{.*}}.debug_abbrev
using CUDA

function halves(a, n)
    x = n
    while x > 1
        x = x ÷ 2 + a[x]
    end
    a[1] = x
    return
end
