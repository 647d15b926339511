# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# REQUIRES: ptxas
#
# Of PTX a bundle keeps what some GPU needs because no cubin of the bundle runs on it: here sm_110 and those to come.
# RUN: rm -rf %t && mkdir %t && cp %s %t/k.jl
# RUN: echo '{"files": ["k.jl"], "targets": [{"target": "ptx"}], "jobs": ["f(CuDeviceVector{Float32,1})"]}' > %t/list.json
# RUN: %kiln bundle %t/list.json --arch sm_80,sm_90 -o %t/k.kiln | %filecheck %s --check-prefix=NEWEST
# NEWEST: 2 cubins, 1 of PTX
# RUN: %kiln bundle %t/list.json --arch sm_80,sm_90,sm_100f,sm_120f,sm_90a -o %t/k.kiln | %filecheck %s --check-prefix=FAMILIES
# FAMILIES: 5 cubins, 1 of PTX
# RUN: %kiln bundle %t/list.json --arch sm_80,sm_100,sm_120 -o %t/k.kiln | %filecheck %s --check-prefix=HOLES
# HOLES: 3 cubins, 3 of PTX
#
# A cubin of each form, by both assemblers.
# RUN: %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx --arch sm_75,sm_88,sm_90a,sm_103f,sm_110a,sm_121 --emit resources --no-cache -o %t/a/
# RUN: cat %t/a/f.sm_75.txt %t/a/f.sm_103f.txt %t/a/f.sm_121.txt | %filecheck %s --check-prefix=RESOURCES
# RESOURCES: architecture: sm_75
# RESOURCES: occupancy at 64 threads a block: 100 %, 16 blocks of a multiprocessor
# RESOURCES: architecture: sm_103f
# RESOURCES: occupancy at 64 threads a block: 100 %, 32 blocks of a multiprocessor
# RESOURCES: architecture: sm_121
# RESOURCES: occupancy at 64 threads a block: 100 %, 24 blocks of a multiprocessor
# RUN: env KILN_ASSEMBLER=ptxas %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx --arch sm_75,sm_103f,sm_121 --emit cubin --no-cache -o %t/b/

f(y) = (y[1] = 1; return)
