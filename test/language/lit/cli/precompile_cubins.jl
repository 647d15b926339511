# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln precompile and kiln cache, of cubins that were assembled together (docs/cache.md).
# REQUIRES: nvjitlink
# RUN: rm -rf %t && mkdir %t && cp %s %t/k.jl && cd %t
# RUN: echo '{"files": ["k.jl"], "targets": [{"target": "ptx", "arch": "sm_80"}], "jobs": [{"call": "scale(CuDeviceVector{Float32,1}, Val{$N})", "candidates": {"N": [1, 2, 3, 4]}}]}' > four.json
# RUN: echo '{"files": ["k.jl"], "targets": [{"target": "ptx", "arch": "sm_80"}], "jobs": ["scale(CuDeviceVector{Float32,1}, Val{1})"]}' > one.json
#
# The ledger of a run with a session for each set of files: one clock. Standard output has the report alone where it is asked for there; the count is on it, too.
# RUN: %kiln precompile four.json --cache c --jobs 1 --timings=json:times.json | %filecheck %s --check-prefix=MADE
# MADE: 4 jobs: 0 were there, 4 compiled, 0 failed
# RUN: %timings table times.json | %filecheck %s --check-prefix=TIMES
# TIMES: stages: process start, command line, read files, open the session,{{.*}} inference,{{.*}}assemble,{{.*}}untimed
# TIMES: job scale(CuDeviceArray{Float32, 1, 1}, Val{1}) for ptx sm_80, key known
# TIMES: job scale(CuDeviceArray{Float32, 1, 1}, Val{4}) for ptx sm_80, key known
# TIMES: kernel {{.*}} of scale(CuDeviceArray{Float32, 1, 1}, Val{1})
# RUN: %kiln precompile four.json --cache c0 --timings=table 2>&1 | %filecheck %s --check-prefix=TABLE
# TABLE: Tot / % measured
# TABLE: read files
# RUN: %kiln precompile four.json --cache c0 --timings=trace:- | %filecheck %s --check-prefix=TRACE
# TRACE: "traceEvents"
# RUN: %status 2 %kiln precompile four.json --cache c0 --timings --timing-advice 2>&1 | %filecheck %s --check-prefix=ADVICE
# ADVICE: usage error[200]: --timing-advice is for a single session, and precompile has one for each set of files: kiln advise tells
#
# The merged cubin is made again from the four texts and compared; one byte of another makes it wrong.
# RUN: %kiln cache verify --cache c | %filecheck %s --check-prefix=RIGHT
# RIGHT: 1 were made again, 0 of them differed
#
# Of an archive: the four have no cubins of their own; then one of them has.
# RUN: %kiln cache export archive --cache c 2>&1 | %filecheck %s --check-prefix=FOUR
# FOUR: warning: 4 kernels were assembled together with others
# RUN: %kiln precompile one.json --cache c --no-merge | %filecheck %s --check-prefix=ALONE
# ALONE: 1 job: 0 were there, 1 compiled, 0 failed
# RUN: %kiln cache export archive --cache c 2>&1 | %filecheck %s --check-prefix=THREE
# THREE: warning: 3 kernels were assembled together with others
# RUN: echo '{"files": ["k.jl"], "targets": [{"target": "ptx", "arch": "sm_80"}], "jobs": [{"call": "scale(CuDeviceVector{Float32,1}, Val{$N})", "candidates": {"N": [2, 3]}}]}' > two.json
# RUN: %kiln precompile two.json --cache c --no-merge && %kiln cache export archive --cache c 2>&1 | %filecheck %s --check-prefix=LAST
# LAST: warning: 1 kernel was assembled together with others, {{.*}} without a cubin of its own
# RUN: %kiln precompile four.json --cache c --no-merge && %kiln cache export archive --cache c 2>&1 | %filecheck %s --check-prefix=NONE --implicit-check-not=together
# NONE: entries written to archive
#
# Without a toolkit a cubin of whichever assembler does, merged or alone: nothing is left as PTX.
# RUN: env KILN_CUDA_HOME=/nowhere %kiln precompile four.json --cache c 2>&1 | %filecheck %s --check-prefix=THERE --implicit-check-not=PTX
# THERE: 4 jobs: 4 were there, 0 compiled, 0 failed
# RUN: %kiln precompile four.json --cache merged && env KILN_CUDA_HOME=/nowhere %kiln precompile four.json --cache merged 2>&1 | %filecheck %s --check-prefix=THERE --implicit-check-not=PTX
# RUN: env KILN_CUDA_HOME=/nowhere %kiln precompile four.json --cache bare 2>&1 | %filecheck %s --check-prefix=BARE
# BARE: warning: 4 jobs left as PTX, which the driver assembles
# BARE: 4 jobs: 0 were there, 4 compiled, 0 failed
function scale(y, ::Val{N}) where N
    i = threadIdx().x
    @inbounds y[i] = N * y[i]
    return
end
