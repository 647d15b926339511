# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# --timings: a table for people, JSON, a page and a trace for programs. All on standard error or in the file named, also
# where the job failed.
#
# REQUIRES: allocations
# RUN: %kiln compile %s 'f(Int64)' --timings -o %t.s 2>&1 | %filecheck %s --check-prefix=TABLE
#      TABLE: Tot / % measured: {{[0-9.]+(μs|ms|s)}} / {{[0-9.]+}}%, {{.*}} allocated
#      TABLE: Section ncalls time %tot self avg alloc %tot avg LLVM instrs
#      TABLE: process start 1
#      TABLE: command line 1
#      TABLE: open the session 1
#      TABLE: front-end {{[0-9]+ +[0-9.]+(ns|μs|ms|s) +[0-9.]+%}}
# TABLE-NEXT: parse {{[0-9]+}}
#      TABLE: inference 1
#      TABLE: IR generation 1
#      TABLE: emission 1 {{.*}} 0 → {{[1-9]}}
#      TABLE: LLVM middle-end 1 {{.*}} {{[0-9]+}} → {{[0-9]+}}
#      TABLE: validation 1
#      TABLE: LLVM back-end 1
#      TABLE: machine-code generation 1
#      TABLE: write results 1
#      TABLE: untimed 1
#
# RUN: %kiln compile %s 'f(Int64)' --timings=json -o %t.s 2> %t.json
# RUN: %timings table %t.json | %filecheck %s --check-prefix=JSON
# JSON: stages: process start, command line, open the session, {{.*}}inference{{.*}}IR generation{{.*}}LLVM middle-end{{.*}}LLVM back-end{{.*}}write results, untimed
# JSON: job f(Int64) for native, key known: {{.*}}inference
# JSON-NEXT: at timings.jl:{{[0-9]+}}; kept:
# JSON-NEXT: asm from made (not in memory, and there is no folder)
# How much they cover is a measurement (bench/ledger.py): on a busy machine the time between two stages is anybody's.
# JSON: the stages cover {{[0-9]+}} %
# RUN: %kiln compile %s 'f(Int64)' --timings=json:%t.file.json -o %t.s 2>&1 | %empty
# RUN: %timings table %t.file.json | %filecheck %s --check-prefix=JSON
#
# What the cache costs is told apart: a cold run keeps what it made, a warm one reads it.
# RUN: rm -rf %t.cache
# RUN: %kiln compile %s 'f(Int64)' --cache %t.cache --timings=json -o %t.s 2> %t.cold
# RUN: %timings table %t.cold | %filecheck %s --check-prefix=COLD
# COLD: stages: {{.*}}front-end, {{.*}}resolve, {{.*}}inference, {{.*}}cache publish
# COLD: asm from made (neither in memory nor in the folder)
# RUN: %kiln compile %s 'f(Int64)' --cache %t.cache --timings=json -o %t.s 2> %t.warm
# RUN: %timings table %t.warm | %filecheck %s --check-prefix=WARM
# WARM: stages: {{.*}}resolve, {{.*}}cache read
# WARM-NOT: inference
# WARM: asm from folder ()
#
# The page holds the same report.
# RUN: %kiln compile %s 'f(Int64)' --timings=html:%t.html -o %t.s 2>&1 | %empty
# RUN: %timings page %t.html | %filecheck %s --check-prefix=JSON
# RUN: %filecheck %s --check-prefix=PAGE < %t.html
# PAGE: <noscript>
# PAGE: LLVM middle-end
# PAGE: </noscript>
#
# A trace: events know their job and its key.
# RUN: %kiln compile %s 'f(Int64)' --timings=trace:%t.trace -o %t.s 2>&1 | %empty
# RUN: %timings trace %t.trace | %filecheck %s --check-prefix=TRACE
# TRACE: events: {{.*}}front-end{{.*}}machine-code generation
# TRACE: events of jobs: f(Int64) for native with a key
# TRACE: threads: main thread
# TRACE: counters: LLVM instructions, main thread, products compiled
# TRACE: every event has a beginning and an end
#
# The short table: ten rows, 100 columns.
# RUN: %kiln compile %s 'f(Int64)' --timings=short -o %t.s 2>&1 | %filecheck %s --check-prefix=SHORT
# SHORT: Wall time {{[0-9.]+(μs|ms|s)}}, untimed {{.*}} of the wall time)
# SHORT: self %wall ncalls stage
# SHORT-COUNT-10: {{^ +[0-9.]+(ns|μs|ms|s) +[0-9.]+% +[0-9]+ [a-zA-Z]}}
# SHORT-NEXT: {{^ +[0-9.]+(ns|μs|ms|s) +[0-9.]+% +[0-9]+ stages more, with --timings=table}}
#
# Files that KILN_DUMP_DIR keeps are in the report.
# RUN: rm -rf %t.dump && env KILN_DUMP_DIR=%t.dump %kiln compile %s 'f(Int64)' --timings=json:%t.kept.json -o %t.s
# RUN: %timings table %t.kept.json | %filecheck %s --check-prefix=FILES
# FILES: kept: {{.*}}llvm{{.*}}asm
#
# A function of the library: the source is that of the program's function that it calls.
# RUN: %kiln compile %s 'map(typeof(twice), Tuple{Int64,Int64})' --timings=json:%t.lib.json -o %t.s
# RUN: %timings table %t.lib.json | %filecheck %s --check-prefix=USER
# USER: at timings.jl:[[@LINE+53]]; kept:
#
# LLVM's passes are rows where they are asked for.
# RUN: %kiln compile %s 'f(Int64)' --timings=json --timing-passes -o %t.s 2> %t.passes
# RUN: %timings table %t.passes | %filecheck %s --check-prefix=PASSES
# PASSES: all stages: {{.*}}LLVM middle-end, {{.*}}SROAPass
# RUN: %filecheck %s --check-prefix=NOPASSES < %t.json
# NOPASSES-NOT: SROAPass
# RUN: %status 2 %kiln compile %s 'f(Int64)' --timing-passes -o %t.s 2>&1 | %filecheck %s --check-prefix=ALONE
# ALONE: usage error[200]: --timing-passes adds to --timings, which is missing
#
# A stage that multiplies a module's code is told, in the log and in the report: here by linking a function of 4,101 instructions.
# RUN: %timings_inputs large > %t.ll
# RUN: %kiln compile %s 'grown(Int64)' --link %t.ll --no-optimize --timings=json:%t.grown -o %t.s 2>&1 | %filecheck %s --check-prefix=GREW
# GREW: warning: {{.*}}timings.jl:{{[0-9]+:[0-9]+}}: `grown`: 2 LLVM instructions became 41{{[0-9]+}} in the stage target libraries
# GREW: mark what need not be inlined @noinline
# RUN: %timings table %t.grown | %filecheck %s --check-prefix=GROWN
# GROWN: warning of grown(Int64), target libraries: made 41{{[0-9]+}} LLVM instructions of {{[0-9]+}}
# RUN: %kiln compile %s 'grown(Int64)' --link %t.ll --no-optimize -o %t.s 2>&1 | %empty
#
# RUN: %status 1 %kiln compile %s 'g(Int64)' --timings=json -o %t.s 2> %t.failed
# RUN: %filecheck %s --check-prefix=FAILED < %t.failed
# FAILED: {"kiln_timings": 1,
# FAILED: UndefVarError[103]: `g`
#
# A report that cannot be written: what was compiled stays.
# RUN: rm -f %t.kept.s
# RUN: %status 1 %kiln compile %s 'f(Int64)' --timings=trace:%t.none/t.json -o %t.kept.s 2>&1 | %filecheck %s --check-prefix=NOFOLDER
# RUN: %filecheck %s --check-prefix=KEPT < %t.kept.s
# NOFOLDER: error[100]: cannot write {{.*}}.none/t.json: No such file or directory
# NOFOLDER: hint: this is the report of --timings=trace:{{.*}}: name a file in a folder that can be written to
# KEPT: ret
# RUN: %status 1 %kiln compile %s 'f(Int64)' --timings=html:%t.none/t.html -o %t.kept.s 2>&1 | %filecheck %s --check-prefix=NOPAGE
# NOPAGE: error[100]: cannot write {{.*}}.none/t.html: No such file or directory
#
# `-` is standard output, as for -o. Advice is a part of the report where it is wanted, and of every page.
# RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %kiln compile %s 'wide(CuDeviceVector{Float32,1})' --target ptx --timings=json:- --timing-advice -o %t.ptx 2>&1 > %t.out
# RUN: ls -A %t.d | %empty
# RUN: %timings table %t.out | %filecheck %s --check-prefix=ADVICE
# ADVICE: advice of wide(CuDeviceArray{Float32, 1, 1}) for ptx sm_{{[0-9]+}}: wide-float in line 134, column 50: write 0.1f0
# ADVICE: not checked of wide(CuDeviceArray{Float32, 1, 1}): spills, occupancy: no cubin was asked for
# RUN: %kiln compile %s 'wide(CuDeviceVector{Float32,1})' --target ptx --timings=html:- -o %t.ptx > %t.page
# RUN: %timings page %t.page | %filecheck %s --check-prefix=ADVICE
# RUN: %kiln compile %s 'wide(CuDeviceVector{Float32,1})' --target ptx --timings --timing-advice -o %t.ptx 2>&1 | %filecheck %s --check-prefix=LINES
# LINES: wide(CuDeviceArray{Float32, 1, 1}), {{.*}}timings.jl:134:50: advice: the literal 0.1 makes this Float64
# RUN: %kiln compile %s 'wide(CuDeviceVector{Float32,1})' --target ptx --timings=json:- -o %t.ptx | %filecheck %s --check-prefix=UNASKED --implicit-check-not=advice
# UNASKED: "warnings"
# RUN: %status 2 %kiln compile %s 'wide(CuDeviceVector{Float32,1})' --target ptx --timing-advice -o %t.ptx 2>&1 | %filecheck %s --check-prefix=NOTIMES
# NOTIMES: usage error[200]: --timing-advice adds to --timings, which is missing
# RUN: %status 2 %kiln compile %s 'wide(CuDeviceVector{Float32,1})' --target ptx --timings=json:- 2>&1 | %filecheck %s --check-prefix=BOTH
# BOTH: usage error[200]: --timings=json:- and the product are both for standard output

f(x) = x + 1
twice(x) = 2x
wide(y) = (i = threadIdx().x; y[i] = y[i]*y[i] + 0.1; return)

grown(x) = ccall("extern large", llvmcall, Int64, (Int64,), x)
