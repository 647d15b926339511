# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln timings merge: reports of a fleet that are written by hand (inputs/timings_merge.py), so that each number can be computed by hand.
#
# RUN: rm -rf %t && mkdir %t && cd %t && %merge_inputs .
#
# Starts at 0, 100 and 150 ms; the last products are there 401, 230 and 150 ms after that: at 401, 330 and 300 ms.
# RUN: %kiln timings merge third.json first.json second.json | %filecheck %s --check-prefix=ALL --match-full-lines
#      ALL: 3 processes on 2 hosts, 2 keys; Kiln 0.3.0, build aaaa
# ALL-NEXT: 6 products, 3 compiled, 1 hedged, 1 joined, 1 remote
# ALL-NEXT: starts within 150.0 ms; last ready 401.0 ms after the first start, 101.0 ms after the first ready
# ALL-EMPTY:
# ALL-NEXT: Processes: start and ready: since the first process started; waited: all threads
# ALL-NEXT: process host GPU start ms ready ms compiled hedged joined found waited ms
# ALL-NEXT: rank 0 a - 0.0 401.0 1 0 0 1 0.0
# ALL-NEXT: rank 1 b - 100.0 330.0 1 0 1 0 120.0
# ALL-NEXT: rank 2 b - 150.0 300.0 1 1 0 0 0.0
# ALL-EMPTY:
# ALL-NEXT: Products: the longest wait in total first
# ALL-NEXT: product compiled by compile ms waited waits ms found key
# ALL-NEXT: asm f(Int64) for native rank 0 200.0 1 120.0 1 11111111111111111111111111111111
# ALL-NEXT: asm g(Int64) for native rank 1, rank 2 100.0 0 0.0 1 22222222222222222222222222222222
# ALL-EMPTY:
# The compiles took 100 and 80 ms, of which the shorter one was for nothing.
# ALL-NEXT: Compiled more than once: time: of all compiles but the longest
# ALL-NEXT: product times time ms by key
# ALL-NEXT: asm g(Int64) for native 2 80.0 rank 1, rank 2 22222222222222222222222222222222
# ALL-EMPTY:
# ALL-NEXT: Waits: the longest in total first
# ALL-NEXT: process waited for times total ms longest ms
# ALL-NEXT: rank 1 rank 0 1 120.0 120.0
# ALL-EMPTY:
# ALL-NEXT: Slowest: the 20 that took longest, from the question to the product
# ALL-NEXT: process product how total ms wait ms compile ms waited for
# ALL-NEXT: rank 0 asm f(Int64) for native compiled 200.0 0.0 200.0 -
# ALL-NEXT: rank 1 asm f(Int64) for native joined 120.0 120.0 0.0 rank 0
# ALL-NEXT: rank 1 asm g(Int64) for native compiled 100.0 0.0 100.0 -
# ALL-NEXT: rank 2 asm g(Int64) for native compiled 80.0 0.0 80.0 -
# ALL-NEXT: rank 2 asm f(Int64) for native hedged 40.0 0.0 40.0 -
# ALL-NEXT: rank 0 asm g(Int64) for native remote 1.0 0.0 0.0 -
# ALL-EMPTY:
# ALL-NEXT: Counters of all sessions
# ALL-NEXT: counter sum
# ALL-NEXT: compiled 3
# ALL-NEXT: remote_missing 6
#
# A list of reports is the same as its files. A process without a rank has its host and number for a name; nobody knows z:99 here.
# RUN: %kiln timings merge both.json no_rank.json | %filecheck %s --check-prefix=LIST
# LIST: 3 processes on 3 hosts, 2 keys
# LIST: d:40 d - 10.0 60.0 0 0 1 0 50.0
# LIST: rank 1 rank 0 1 120.0 120.0
# LIST-NEXT: d:40 z:99 1 50.0 50.0
#
# A clock that is an hour ahead: rank 1 would have waited an hour after the compile. Times count from each process's own start.
# RUN: %kiln timings merge first.json late.json third.json | %filecheck %s --check-prefix=CLOCKS
# CLOCKS: ready 150.0 to 401.0 ms after each process's own start
# CLOCKS-NEXT: warning: the clocks of the hosts disagree, or the reports are of several runs: rank 1 waited for rank 0 while that compiled, and by their clocks at another time; times count from each process's own start
# CLOCKS: Processes: ready: since the process's own start
# CLOCKS: rank 1 b - - 230.0 1 0 1 0 120.0
#
# Ten minutes after the others, without a wait that tells why: 600 s less the 500 ms of the last process, rounded down.
# RUN: %kiln timings merge first.json later.json | %filecheck %s --check-prefix=GAP
# GAP: warning: the clocks of the hosts disagree, or the reports are of several runs: rank 3 started 599 s after all others had ended
#
# Two builds; two processes of one rank. Another process of the machine has no name.
# RUN: %kiln timings merge third.json other_build.json | %filecheck %s --check-prefix=BUILDS
# BUILDS: Kiln 0.3.0, build aaaa; Kiln 0.3.0, build bbbb
# BUILDS: warning: two processes are rank 2: b:21 and c:30
# BUILDS-NEXT: warning: the reports are of 2 builds of Kiln, which share no entries: 0.3.0 aaaa, 0.3.0 bbbb
# BUILDS: rank 2 a process of c 1 20.0 20.0
#
# Whatever is no report is named, and the others are merged all the same.
# RUN: %status 1 %kiln timings merge first.json text.json nowhere.json other.json version.json old.json wrong.json unknown.json first.json cut.json -o merged.txt 2>&1 | %filecheck %s --check-prefix=BAD
#      BAD: text.json:1:1: JSON error[140]:
#      BAD: hint: name files that --timings=json:FILE has written
#      BAD: error[100]: cannot read nowhere.json: No such file or directory
#      BAD: other.json:1:1: error[100]: this is no timing report: it has no `kiln_timings`
#      BAD: version.json:1:1: error[100]: this report has version 2 of the schema, and this Kiln reads 1
#      BAD: old.json:1:1: error[100]: this report does not name its process: an older Kiln has written it
#      BAD: wrong.json:1:{{.*}}: error[100]: the times of a product do not fit together
#      BAD: unknown.json:1:{{.*}}: error[100]: `found` is `guessed`, which this Kiln does not know
#      BAD: first.json:1:1: error[100]: a second report of the process a:10: this file has the first
#      BAD: cut.json:1:1: error[100]: a second report of the process a:10: first.json has the first
#      BAD: cut.json:2:{{.*}}: JSON error[140]: {{.*}}: the text ends here
# RUN: %filecheck %s --check-prefix=MERGED --input-file=merged.txt
# MERGED: 1 process on 1 host, 2 keys
# RUN: %status 1 %kiln timings merge text.json 2>&1 | %filecheck %s --check-prefix=NOTHING
# NOTHING: error[100]: there is no report to merge
# RUN: %status 2 %kiln timings merge 2>&1 | %filecheck %s --check-prefix=NONE
# NONE: usage error[200]: reports is required
#
# The page: one file, no script, a bar for each wait, compile and hit, and the tables.
# RUN: %kiln timings merge first.json second.json third.json --html page.html | %empty
# RUN: %filecheck %s --check-prefix=PAGE --input-file=page.html
# PAGE-NOT: <script
# PAGE: default-src 'none'; style-src 'unsafe-inline'
# PAGE: <p>3 processes on 2 hosts, 2 keys; Kiln 0.3.0, build aaaa</p>
# PAGE: <svg xmlns="http://www.w3.org/2000/svg"
# PAGE: waited for another session or process
# PAGE: rank 0</text>
# PAGE: <path class="c" d="M23.9 0h478.8v12H23.9z"><title>rank 0, asm f(Int64) for native: compiled in 200.0 ms</title></path>
# PAGE: <path class="r"
# PAGE: rank 1</text>
# PAGE-NEXT: <path class="w" {{.*}}joined in 120.0 ms, waited 120.0 ms for rank 0</title>
# PAGE: <h2>Compiled more than once</h2>
#
# What Kiln writes can be merged.
# RUN: env RANK=7 %kiln compile %s 'k(Int64)' --timings=json:real.json -o y.s
# RUN: %kiln timings merge real.json | %filecheck %s --check-prefix=REAL
# REAL: 1 process on 1 host, 1 key;
# REAL-NEXT: 1 product, 1 compiled
# REAL: rank 7

k(x) = x + 1
