# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A list of jobs that is neither a manifest nor a trace is an error that says what it is, and what to do.
#
# RUN: rm -rf %t && mkdir %t && cp %s %t/k.jl && cd %t
# RUN: %status 1 %kiln precompile /etc/passwd --cache cache 2>&1 | %filecheck %s --check-prefix=NEITHER
# RUN: printf '\177ELF\000\001{"kiln_trace":\000\377\n' > binary
# RUN: %status 1 %kiln precompile binary --cache cache 2>&1 | %filecheck %s --check-prefix=BINARY
# NEITHER: error[100]: /etc/passwd is neither a manifest (an object of JSON) nor a trace
# NEITHER-NEXT: hint: docs/cache.md has the format of manifests; KILN_TRACE_JOBS=FILE records a trace
# BINARY: error[100]: no job can be read from the trace binary:
# RUN: echo > empty
# RUN: %status 1 %kiln precompile empty --cache cache 2>&1 | %filecheck %s --check-prefix=EMPTY
# RUN: %status 1 %kiln bundle empty -o b.kiln 2>&1 | %filecheck %s --check-prefix=EMPTY
# RUN: %status 1 %kiln cache verify empty --cache cache 2>&1 | %filecheck %s --check-prefix=EMPTY
# EMPTY: error[100]: empty is empty: it holds no job
# RUN: %status 1 %kiln precompile . --cache cache 2>&1 | %filecheck %s --check-prefix=FOLDER
# FOLDER: error[100]: cannot read .: it is a directory
#
# A trace of one job, cut off in the middle, within its first word, and before its first half.
# RUN: env KILN_TRACE_JOBS=%t/trace %kiln compile k.jl 'k(Int64)' --no-kernel -o k.s
# RUN: head -c 100 trace > half
# RUN: %status 1 %kiln precompile half --cache cache 2>&1 | %filecheck %s --check-prefix=HALF
# HALF: error[100]: no job can be read from the trace half: half:1: left out: the last line was cut off
# HALF-NEXT: hint: the trace was cut off or altered: record it again
# RUN: head -c 8 trace > word
# RUN: %status 1 %kiln precompile word --cache cache 2>&1 | %filecheck %s --check-prefix=WORD
# WORD: error[100]: word is no trace of jobs
# RUN: tail -c 100 trace > tail
# RUN: %status 1 %kiln precompile tail --cache cache 2>&1 | %filecheck %s --check-prefix=TAIL
# TAIL: error[100]: tail is neither a manifest
#
# A manifest cut in half has its place.
# RUN: echo '{"files": ["k.jl"], "jobs": ["k(Int' > manifest
# RUN: %status 1 %kiln precompile manifest --cache cache 2>&1 | %filecheck %s --check-prefix=MANIFEST
# MANIFEST: manifest:1:
#
# The job of a whole line is compiled, and the line that was cut off makes the status 1.
# RUN: cat trace half > both
# RUN: %status 1 %kiln precompile both --cache cache > out 2> err
# RUN: %filecheck %s --check-prefix=OUT < out
# RUN: %filecheck %s --check-prefix=ERR < err
# OUT: 1 job: 0 were there, 1 compiled, 0 failed
# ERR: warning: both:2: left out: the last line was cut off
# ERR: error[100]: 1 job of both was left out

k(x) = x + 1
