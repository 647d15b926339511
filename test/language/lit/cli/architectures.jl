# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Several architectures in one command, and names that are none.
# RUN: rm -rf %t && mkdir %t
# RUN: %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx --arch sm_70,sm_90a,sm_100f --no-cache -o %t/out/
# RUN: ls %t/out | %filecheck %s --check-prefix=FILES
#      FILES: {{^}}f.sm_100f.ptx
# FILES-NEXT: {{^}}f.sm_70.ptx
# FILES-NEXT: {{^}}f.sm_90a.ptx
# FILES-NEXT: {{^}}index.json
#  FILES-NOT: {{.}}
# RUN: cat %t/out/index.json | %filecheck %s --check-prefix=INDEX
#      INDEX: "call": "f(CuDeviceVector{Float32,1})", "arch": "sm_70", "file": "f.sm_70.ptx"
# INDEX-NEXT: "arch": "sm_90a", "file": "f.sm_90a.ptx"
# INDEX-NEXT: "arch": "sm_100f", "file": "f.sm_100f.ptx"
# RUN: cat %t/out/f.sm_70.ptx %t/out/f.sm_90a.ptx %t/out/f.sm_100f.ptx | %filecheck %s --check-prefix=TEXT
# TEXT: .version 8.5
# TEXT: .target sm_70
# TEXT: .version 8.5
# TEXT: .target sm_90a
# TEXT: .version 8.8
# TEXT: .target sm_100f
#
# Two calls for two architectures each; one architecture keeps the names without it.
# RUN: %kiln compile %s 'f(CuDeviceVector{Float32,1})' 'f(CuDeviceVector{Int64,1})' --target ptx --arch sm_80,sm_120 --no-cache -o %t/two/
# RUN: ls %t/two | %filecheck %s --check-prefix=TWO
#      TWO: {{^}}f.sm_120-2.ptx
# TWO-NEXT: {{^}}f.sm_120.ptx
# TWO-NEXT: {{^}}f.sm_80-2.ptx
# TWO-NEXT: {{^}}f.sm_80.ptx
# RUN: %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx --arch sm_120 --no-cache -o %t/one/
# RUN: cmp %t/one/f.ptx %t/two/f.sm_120.ptx
#
# RUN: %status 2 %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx --arch sm_80,sm_90 --no-cache 2>&1 | %filecheck %s --check-prefix=NOWHERE
# NOWHERE: usage error[200]: several architectures have several artifacts: name a folder for them with -o DIR/
# RUN: %status 2 %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx --arch sm_80,turing --no-cache -o %t/none/ 2>&1 | %filecheck %s --check-prefix=NAME
# NAME: usage error[200]: --arch takes sm_<number>, such as sm_90, sm_90a or sm_100f, not `turing`
# RUN: %status 2 %kiln run %s f --arg 'zeros(Float32, 4)' --target ptx --arch sm_80,sm_90 2>&1 | %filecheck %s --check-prefix=ONE
# ONE: usage error[200]: --arch takes one architecture here, not `sm_80,sm_90`
# RUN: %status 2 %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx --arch sm_101a --no-cache 2>&1 | %filecheck %s --check-prefix=THOR
# THOR: usage error[200]: sm_101a is called sm_110a since CUDA 13.0
# RUN: %status 2 %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx --arch sm_90f --no-cache 2>&1 | %filecheck %s --check-prefix=NOFAMILY
# NOFAMILY: usage error[200]: there is no architecture sm_90f; allowed are sm_50, {{.*}}sm_90, sm_90a, sm_100, sm_100f, sm_100a, {{.*}}sm_121a
# RUN: %status 2 %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx --arch sm_120f --ptx-isa 8.7 --no-cache 2>&1 | %filecheck %s --check-prefix=ISA
# ISA: usage error[200]: sm_120f needs PTX ISA 8.8 or newer, not 8.7
#
# Lists of jobs: "a,b" is as ["a", "b"], and --arch stands in place of the list's own.
# RUN: cp %s %t/k.jl
# RUN: echo '{"files": ["k.jl"], "targets": ["native", {"target": "ptx", "arch": "sm_80,sm_100f"}], "jobs": ["f(CuDeviceVector{Float32,1})"]}' > %t/list.json
# RUN: %kiln precompile %t/list.json --dry-run | %filecheck %s --check-prefix=LIST
#      LIST: f(CuDeviceVector{Float32,1}) for this CPU
# LIST-NEXT: f(CuDeviceVector{Float32,1}) for sm_80
# LIST-NEXT: f(CuDeviceVector{Float32,1}) for sm_100f
# RUN: %kiln precompile %t/list.json --arch sm_90a,sm_121 --dry-run | %filecheck %s --check-prefix=OTHER
#      OTHER: f(CuDeviceVector{Float32,1}) for this CPU
# OTHER-NEXT: f(CuDeviceVector{Float32,1}) for sm_90a
# OTHER-NEXT: f(CuDeviceVector{Float32,1}) for sm_121
#  OTHER-NOT: {{.}}
# RUN: %status 2 %kiln precompile %t/list.json --arch sm_91 --dry-run 2>&1 | %filecheck %s --check-prefix=NONE
# NONE: usage error[200]: there is no architecture sm_91; allowed are sm_50,
#
# Without an assembler a bundle has the PTX of each.
# RUN: env KILN_ASSEMBLER=driver %kiln bundle %t/list.json --arch sm_80,sm_100,sm_100f -o %t/texts.kiln 2>&1 | %filecheck %s --check-prefix=TEXTS
# TEXTS: 1 kernel, {{.*}} {{[23]}} images for CPUs, 0 cubins, 3 of PTX
#
# RUN: %kiln doctor --architectures | %filecheck %s --check-prefix=TABLE
#      TABLE: architecture  PTX ISA  CUDA toolkits  driver{{ +}}warps  blocks  KiB of SM  KiB of block  cubins run on
#      TABLE: sm_70         6.0      up to 12.9     384.81{{ +}}64     32      96         96            sm_70, sm_72
#      TABLE: sm_90a        8.0      from 12.0      525.60.13{{ +}}64     32      228        227           sm_90{{$}}
#      TABLE: sm_100f       8.8      from 12.9      575.51.03{{ +}}64     32      228        227           sm_100, sm_103
#      TABLE: sm_121a       8.8      from 12.9      575.51.03{{ +}}48     24      100        99            sm_121{{$}}

f(y) = (y[1] = 1; return)
