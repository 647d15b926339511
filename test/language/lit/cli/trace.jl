# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# KILN_TRACE_JOBS: what programs compile is appended to a file; precompile repeats it, and the programs then compile nothing.
# RUN: rm -rf %t && mkdir %t %t/below && cp %s %t/kernels.jl && cd %t
# RUN: env KILN_TRACE_JOBS=%t/trace %kiln run kernels.jl fill --arg 'zeros(Float32, 4)' --arg 'Val(3)' --device cpu --threads 4
# RUN: env KILN_TRACE_JOBS=%t/trace %kiln run kernels.jl fill --arg 'zeros(Float32, 4)' --arg 'Val(3)' --device cpu --threads 4 --cache old
# RUN: env KILN_TRACE_JOBS=%t/trace %kiln run kernels.jl fill --arg 'zeros(Float32, 4)' --arg 'Val(3)' --device cpu --threads 4 --cache old
# RUN: env KILN_TRACE_JOBS=%t/trace %kiln compile kernels.jl 'fill(CuDeviceVector{Float64,1}, Val{4})' --target ptx --arch sm_80 --maxthreads 256 -o y.ptx
# RUN: env KILN_TRACE_JOBS=%t/trace %kiln run kernels.jl grid --arg 'zeros(Float32, 8)' --ndrange 8 --workgroupsize 4 --device cpu
# RUN: env KILN_TRACE_JOBS=%t/trace %kiln run kernels.jl host/inner --capture 'c=2f0' --arg 'zeros(Float32, 8)' --device cpu
# RUN: %filecheck %s --check-prefix=TRACE < trace
# TRACE: {"kiln_trace":2,"call":"fill(CuDeviceArray{Float32, 1, 1}, Val{3})","product":"obj","config":{"target":"native"
# TRACE-SAME: "opt_level":2
# TRACE-SAME: "files":[{"name":"kernels.jl","folder":"{{[^"]*}}","digest":"{{[0-9a-f]+}}"}]}
# TRACE-NEXT: "call":"fill(CuDeviceArray{Float64, 1, 1}, Val{4})","product":"asm"
# TRACE-SAME: "max_threads":[256,1,1]
# TRACE-NEXT: "call":"{{.*}}grid
# TRACE-NEXT: inner
# TRACE-SAME: "cannot_repeat":"
# TRACE-NOT: kiln_trace
#
# Repeated from another folder, the names stay those of the program.
# RUN: cd below && %status 1 %kiln precompile ../trace --cache ../new > out 2> err
# RUN: %filecheck %s --check-prefix=OUT < out
# RUN: %filecheck %s --check-prefix=ERR < err
# OUT: 3 jobs: 0 were there, 3 compiled, 0 failed
# ERR: warning: {{.*}}inner{{.*}} cannot be repeated: {{.*}}another process
# RUN: cd .. && %kiln run kernels.jl fill --arg 'zeros(Float32, 4)' --arg 'Val(3)' --device cpu --threads 4 --cache new --timings=json 2> times
# RUN: %filecheck %s --check-prefix=WARM < times
# RUN: %kiln compile kernels.jl 'fill(CuDeviceVector{Float64,1}, Val{4})' --target ptx --arch sm_80 --maxthreads 256 -o z.ptx --cache new --timings=json 2> times
# RUN: cmp y.ptx z.ptx
# RUN: %filecheck %s --check-prefix=WARM < times
# RUN: %kiln run kernels.jl grid --arg 'zeros(Float32, 8)' --ndrange 8 --workgroupsize 4 --device cpu --cache new --timings=json 2> times
# RUN: %filecheck %s --check-prefix=WARM < times
# WARM: "rows"
# WARM-NOT: IR generation
# WARM-NOT: inference
# RUN: %kiln cache verify trace --cache new | %filecheck %s --check-prefix=VERIFY
# VERIFY: were made again, 0 of them differed
# RUN: %kiln cache explain trace --cache new | %filecheck %s --check-prefix=EXPLAIN
# EXPLAIN: fill(CuDeviceArray{Float32, 1, 1}, Val{3}) for
# EXPLAIN: hit:
#
# A file that has changed; a file that cannot be written.
# RUN: echo '# more' >> kernels.jl
# RUN: %status 1 %kiln precompile trace --cache new 2>&1 | %filecheck %s --check-prefix=CHANGED
# CHANGED: kernels.jl has changed since the trace was recorded: compiled as it is now
# RUN: env KILN_TRACE_JOBS=/nowhere/trace %kiln run kernels.jl fill --arg 'zeros(Float32, 4)' --arg 'Val(3)' --device cpu 2>&1 | %filecheck %s --check-prefix=LOST
# LOST: warning: the trace of jobs cannot be written to /nowhere/trace: No such file or directory; nothing more is recorded

using KernelAbstractions

function fill(y, ::Val{N}) where N
    i = threadIdx().x
    if i <= length(y)
        y[i] = N
    end
    return
end

@kernel function grid(y)
    i = @index(Global)
    y[i] = 1
end

function host(c)
    function inner(y)
        y[1] = c
        return
    end
    return inner
end
