# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# --timings: a table for people, JSON and a trace for programs. All on standard error or in the file named, also
# where the job failed.
#
# REQUIRES: allocations
# RUN: %kiln compile %s 'f(Int64)' --timings -o %t.s 2>&1 | %filecheck %s --check-prefix=TABLE
#      TABLE: Tot / % measured: {{[0-9.]+(μs|ms|s)}} / {{[0-9.]+}}%, {{.*}} allocated
#      TABLE: Section ncalls time %tot avg alloc %tot avg
#      TABLE: front-end {{[0-9]+ +[0-9.]+(ns|μs|ms|s) +[0-9.]+%}}
# TABLE-NEXT: parse {{[0-9]+}}
#      TABLE: inference 1
#      TABLE: IR generation 1
# TABLE-NEXT: emission 1
#      TABLE: LLVM middle-end 1
#      TABLE: validation 1
#      TABLE: LLVM back-end 1
#      TABLE: machine-code generation 1
#      TABLE: untimed 1
#
# RUN: %kiln compile %s 'f(Int64)' --timings=json -o %t.s 2> %t.json
# RUN: %timings table %t.json | %filecheck %s --check-prefix=JSON
# JSON: stages: {{.*}}front-end{{.*}}inference{{.*}}IR generation{{.*}}LLVM middle-end{{.*}}LLVM back-end
# How much they cover is a measurement (bench/): on a busy machine the time between two stages is anybody's.
# JSON: the stages cover {{[0-9]+}} %
# What the cache costs is told apart: a cold run keeps what it made, a warm one reads it.
# RUN: rm -rf %t.cache
# RUN: %kiln compile %s 'f(Int64)' --cache %t.cache --timings=json -o %t.s 2> %t.cold
# RUN: %timings table %t.cold | %filecheck %s --check-prefix=COLD
# COLD: stages: front-end, resolve, cache look-up, inference, {{.*}}cache publish
# RUN: %kiln compile %s 'f(Int64)' --cache %t.cache --timings=json -o %t.s 2> %t.warm
# RUN: %timings table %t.warm | %filecheck %s --check-prefix=WARM
# WARM: stages: front-end, resolve, cache look-up, cache read, untimed
# RUN: %kiln compile %s 'f(Int64)' --timings=trace:%t.trace -o %t.s 2>&1 | %empty
# RUN: %timings trace %t.trace | %filecheck %s --check-prefix=TRACE
# TRACE: events: {{.*}}front-end{{.*}}machine-code generation
# TRACE: every event has a beginning and an end
#
# RUN: %status 1 %kiln compile %s 'g(Int64)' --timings=json -o %t.s 2> %t.failed
# RUN: %filecheck %s --check-prefix=FAILED < %t.failed
# FAILED: {"wall_ns":
# FAILED: UndefVarError: `g`
#
# RUN: %status 1 %kiln compile %s 'f(Int64)' --timings=trace:%t.none/t.json -o %t.s 2>&1 | %filecheck %s --check-prefix=NOFOLDER
# NOFOLDER: error: cannot write {{.*}}.none/t.json: No such file or directory

f(x) = x + 1
