# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln timings diff: what got slower between reports that are written by hand, so that each verdict can be computed by hand.
#
# RUN: rm -rf %t && mkdir %t && cd %t && %timings_inputs .
#
# The whole from 10 to 12 ms, all of it machine code: 20 % and 2 ms more. Nothing else is told.
# RUN: %status 5 %kiln timings diff base.json slower.json 2>&1 | %filecheck %s --check-prefix=SLOWER --match-full-lines
#      SLOWER: before after change
# SLOWER-NEXT: all 10.000 ms 12.000 ms +20.0 % slower
# SLOWER-NEXT: LLVM back-end > machine-code generation 4.000 ms 6.000 ms +50.0 % slower
# SLOWER-NEXT: f(Int64) for native 8.000 ms 10.000 ms +25.0 % slower
# SLOWER-NEXT: f(Int64) for native: LLVM back-end > machine-code generation 4.000 ms 6.000 ms +50.0 % slower
# SLOWER-NEXT: 1 and 1 runs; something is slower by more than 10 %; no code is larger by more than 5 %
# SLOWER-NEXT: note: fewer than 5 runs in a file: noise may look like a change. {{.*}}
#
# The other way round it is faster; above the threshold nothing is.
# RUN: %kiln timings diff slower.json base.json | %filecheck %s --check-prefix=FASTER
# FASTER: all {{.*}} -16.7 % faster
# FASTER: nothing is slower by more than 10 %
# RUN: %kiln timings diff base.json slower.json --threshold 60 | %filecheck %s --check-prefix=BELOW
# BELOW: all {{.*}} +20.0 % the same
# BELOW-NEXT: nothing is slower by more than 60 %
#
# A stage of 0.05 ms that takes three times as long is noise: less than 0.1 ms.
# RUN: %kiln timings diff base.json small.json | %filecheck %s --check-prefix=SMALL
# SMALL-NOT: preparation
# SMALL: nothing is slower
#
# A stage that was not there before; a longer wait is told, and is no regression.
# RUN: %status 5 %kiln timings diff base.json new.json | %filecheck %s --check-prefix=NEW
# NEW: hooks 0.000 ms 3.000 ms new slower
# RUN: %kiln timings diff base.json waits.json --threshold 40 | %filecheck %s --check-prefix=WAITS
# WAITS: wait for definitions 0.000 ms 3.000 ms new longer wait
# WAITS: nothing is slower
#
# Noise: 10, 15, 14 ms against 13, 12, 16 ms. The minima are 20 % apart, but 12 is below the median of the first, 14.
# RUN: %kiln timings diff noisy_a.json noisy_b.json | %filecheck %s --check-prefix=NOISE
# NOISE: all 10.000 ms 12.000 ms +20.0 % the same
# NOISE: 3 and 3 runs; nothing is slower
# RUN: %status 5 %kiln timings diff noisy_a.json noisy_c.json | %filecheck %s --check-prefix=CLEAR
# CLEAR: all 10.000 ms 14.500 ms +45.0 % slower
#
# A stage of 4, 4.5 ms against 5, 6 ms: all runs are slower. Against 4.4, 6 ms, the runs of the files overlap.
# RUN: %status 5 %kiln timings diff stage_a.json stage_b.json | %filecheck %s --check-prefix=APART
# APART: LLVM back-end > machine-code generation 4.000 ms 5.000 ms +25.0 % slower
# RUN: %kiln timings diff stage_a.json stage_c.json --threshold 5 | %filecheck %s --check-prefix=OVERLAP
# OVERLAP-NOT: machine-code generation
# OVERLAP: 2 and 2 runs; nothing is slower
#
# LLVM instructions: 110 in place of 100 is 10 % more; 105 is not more than 5 %; 90 is less.
# RUN: %status 5 %kiln timings diff code.json more_code.json | %filecheck %s --check-prefix=LARGER --match-full-lines
#      LARGER: all 10.000 ms 10.000 ms +0.0 % the same
#      LARGER: LLVM instructions before after change
# LARGER-NEXT: LLVM back-end > machine-code generation 100 110 +10.0 % larger
# LARGER-NEXT: f(Int64) for native: LLVM back-end > machine-code generation 100 110 +10.0 % larger
# LARGER-NEXT: 1 and 1 runs; nothing is slower by more than 10 %; code is larger by more than 5 %
# RUN: %status 5 %kiln timings diff code.json more_code.json --json > %t/code_diff.json
# RUN: %json "not d['slower'] and d['larger']" "d['instructions'][0]['after_instructions'] == 110" < %t/code_diff.json
# RUN: %kiln timings diff code.json more_code.json --count-threshold 10 | %filecheck %s --check-prefix=EQUAL
# RUN: %kiln timings diff code.json bit_more_code.json | %filecheck %s --check-prefix=EQUAL
# EQUAL-NOT: LLVM instructions
# EQUAL: no code is larger
# RUN: %kiln timings diff more_code.json code.json | %filecheck %s --check-prefix=SMALLER
# SMALLER: machine-code generation 110 100 -9.1 % smaller
#
# Files that are no reports.
# RUN: %status 1 %kiln timings diff base.json nowhere.json 2>&1 | %filecheck %s --check-prefix=NOFILE
# NOFILE: error[100]: cannot read nowhere.json: No such file or directory
# RUN: %status 1 %kiln timings diff base.json text.json 2>&1 | %filecheck %s --check-prefix=TEXT
# TEXT: text.json
# TEXT: hint: name files that --timings=json:FILE has written
# RUN: %status 1 %kiln timings diff base.json empty.json 2>&1 | %filecheck %s --check-prefix=EMPTY
# EMPTY: error[100]: empty.json holds no timing report
# RUN: %status 1 %kiln timings diff other.json base.json 2>&1 | %filecheck %s --check-prefix=OTHER
# OTHER: other.json:1:1: error[100]: this is no timing report: it has no `kiln_timings`
# RUN: %status 1 %kiln timings diff base.json later.json 2>&1 | %filecheck %s --check-prefix=LATER
# LATER: later.json:1:1: error[100]: this report has version 2 of the schema, and this Kiln reads 1
# RUN: %status 1 %kiln timings diff base.json cut.json 2>&1 | %filecheck %s --check-prefix=CUT
# CUT: cut.json
# RUN: %status 1 %kiln timings diff base.json negative.json 2>&1 | %filecheck %s --check-prefix=NEGATIVE
# NEGATIVE: error[100]: `wall_ns` of a timing report is a whole number, not -1
# RUN: %status 2 %kiln timings diff base.json base.json 2>&1 | %filecheck %s --check-prefix=SAME
# SAME: usage error[200]: base.json is compared with itself: name two files
# RUN: %status 2 %kiln timings diff base.json 2>&1 | %filecheck %s --check-prefix=ONE
# ONE: usage error[200]: after is required
# RUN: %status 2 %kiln timings diff base.json slower.json --threshold -1 2>&1 | %filecheck %s --check-prefix=THRESHOLD
# THRESHOLD: usage error[200]: --threshold: {{.*}}-1
# RUN: %status 2 %kiln timings 2>&1 | %filecheck %s --check-prefix=NONE
# NONE: usage error[200]: kiln timings needs a command
# NONE: hint: there are diff, merge; kiln timings --help
#
# What Kiln writes can be compared, several runs in one file.
# RUN: %kiln compile %s 'k(Int64)' --timings=json -o y.s 2> one.json
# RUN: %kiln compile %s 'k(Int64)' --timings=json -o y.s 2> two.json
# RUN: %kiln compile %s 'k(Int64)' --timings=json -o y.s 2>> two.json
# RUN: %kiln timings diff one.json two.json --threshold 100000 | %filecheck %s --check-prefix=REAL
# REAL: 1 and 2 runs; nothing is slower by more than 100000 %

k(x) = x + 1
