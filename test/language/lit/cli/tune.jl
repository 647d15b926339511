# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln tune: a search, its table, what it keeps, and what is wrong usage.
# RUN: rm -rf %t && mkdir %t && cd %t && cp %S/inputs/tune/* .
# RUN: %npy write x.npy '<f4' '(6,)' 1 2 3 4 5 6
# RUN: %kiln tune %s axpy --arg @x.npy --arg @x.npy --arg 2f0 --arg 'Val($N)' --space space.json --reference plain --device cpu --cache c --explain --json all.json | %filecheck %s
#      CHECK: CPU on {{[0-9]+}} threads; CuDeviceArray{Float32, 1, 1} to 8, CuDeviceArray{Float32, 1, 1} to 8, Float32
# CHECK-NEXT: ceiling: {{[0-9.]+}} GB/s
# CHECK-NEXT: noise of a sample: {{[0-9.]+}} %; {{[0-9]+}} rounds; 48 bytes a launch
#      CHECK: N T time +- GB/s ceiling threads blocks shared
# CHECK-NEXT: {{1|2}} {{1|2}} {{.*}} winner
#      CHECK: 3 {{1|2}} {{.*}} wrong: argument 1[1] is 0, and the reference has 3
#      CHECK: winner: N={{1|2}} T={{1|2}}: {{[0-9.]+}} us +- {{[0-9.]+}} %, {{[0-9.]+}} GB/s ({{[0-9.]+}} % of the ceiling)
# CHECK-NEXT: launch: --threads {{1|2}},1,1 --blocks {{[236]}},1,1
# CHECK-NEXT: 5 candidates, {{.*}}2 wrong; 1 excluded by constraints
# CHECK-NEXT: in this run: 5 compiled, 5 measured, {{[0-9]+}} rounds
# RUN: %filecheck %s --check-prefix=JSON < all.json
# JSON: {"kiln_tune": 1, "parameters": ["N", "T"], {{.*}}"compiled": 5, "measured": 5, "excluded": 1
# JSON-COUNT-5: {"values": {"N": "{{[123]}}", "T": "{{[12]}}"}, "state":
#
# Again nothing is done; one more candidate is one; --recorded looks only.
# RUN: %kiln tune %s axpy --arg @x.npy --arg @x.npy --arg 2f0 --arg 'Val($N)' --space space.json --reference plain --device cpu --cache c | %filecheck %s --check-prefix=AGAIN
# AGAIN: in this run: 0 compiled, 0 measured, 0 rounds
# RUN: %kiln tune %s axpy --arg @x.npy --arg @x.npy --arg 2f0 --arg 'Val($N)' --space space.json --param N=1,2,3,4 --constraint 'N < 4 || T == 2' --reference plain --device cpu --cache c | %filecheck %s --check-prefix=MORE
# MORE: in this run: 1 compiled, 1 measured
# RUN: %kiln tune %s axpy --arg @x.npy --arg @x.npy --arg 2f0 --arg 'Val($N)' --space space.json --reference plain --device cpu --cache c --recorded --json - | %filecheck %s --check-prefix=RECORDED
# RECORDED: "compiled": 0, "measured": 0
# RECORDED: "recorded": true
# RUN: %kiln tune %s axpy --arg @x.npy --arg @x.npy --arg 2f0 --arg 'Val($N)' --space space.json --reference plain --device cpu --recorded --no-cache | %filecheck %s --check-prefix=NOTHING
# NOTHING-NOT: winner
# NOTHING: 5 candidates, 5 waiting
#
# Other references: a candidate, a file; nothing right is an error with the reasons.
# RUN: %kiln tune %s axpy --arg @x.npy --arg @x.npy --arg 2f0 --arg 'Val($N)' --space space.json --reference N=1,T=1 --device cpu --no-cache | %filecheck %s --check-prefix=CANDIDATE
# CANDIDATE: winner: N={{1|2}}
# RUN: %kiln run %s plain --arg @x.npy --arg @x.npy --arg 2f0 --device cpu --out 1=right.npy
# RUN: %kiln tune %s axpy --arg @x.npy --arg @x.npy --arg 2f0 --arg 'Val($N)' --space space.json --expect 1=right.npy --device cpu --no-cache | %filecheck %s --check-prefix=CANDIDATE
# RUN: %status 1 %kiln tune %s axpy --arg @x.npy --arg @x.npy --arg 2f0 --arg 'Val($N)' --space space.json --expect 1=x.npy --device cpu --no-cache 2>&1 | %filecheck %s --check-prefix=NONE
# NONE: error[100]: no candidate is right
# NONE: N=1 T=1: wrong: argument 1[1] is 3, and the reference has 1
# RUN: %kiln tune %s '$F' --arg @x.npy --arg @x.npy --arg 2f0 --param F=plain,strided --option O='$L' --param L=0,2 --reference plain --device cpu --no-cache | %filecheck %s --check-prefix=FUNCTION
# FUNCTION: winner: F={{plain|strided}} L={{0|2}}
# FUNCTION: 4 candidates
#
# RUN: %status 2 %kiln tune %s 2>&1 | %filecheck %s --check-prefix=FILES
# FILES: usage error[200]: tune takes files and then a function
# RUN: %status 2 %kiln tune %s axpy --param N=1 --device cpu 2>&1 | %filecheck %s --check-prefix=REFERENCE
# REFERENCE: usage error[200]: results are compared with something before they may win
# RUN: %status 2 %kiln tune %s axpy --reference plain --device cpu 2>&1 | %filecheck %s --check-prefix=SPACE
# SPACE: usage error[200]: there is nothing to choose from
# RUN: %status 2 %kiln tune %s axpy --param N --reference plain --device cpu 2>&1 | %filecheck %s --check-prefix=PARAM
# PARAM: usage error[200]: --param takes NAME=V1,V2,..., not `N`
# RUN: %status 2 %kiln tune %s axpy --param N=1 --reference plain --expect 1=x.npy --device cpu 2>&1 | %filecheck %s --check-prefix=BOTH
# BOTH: usage error[200]: --reference and --expect exclude each other
# RUN: %status 2 %kiln tune %s axpy --param N=1 --reference plain --device cpu --emit asm 2>&1 | %filecheck %s --check-prefix=EMIT
# EMIT: usage error[200]: tune has one result
# RUN: %status 2 %kiln tune %s axpy --param N=1 --reference plain --device cpu --flush-l2 2>&1 | %filecheck %s --check-prefix=FLUSH
# FLUSH: usage error[200]: --flush-l2 is for a GPU
# RUN: %status 1 %kiln tune %s axpy --space wrong.json --reference plain --device cpu 2>&1 | %filecheck %s --check-prefix=WRONG
# WRONG: wrong.json:1:22: space error[143]: the parameter N has no values
# WRONG: wrong.json:2:2: space error[143]: a search space has no field "thread"
# RUN: %status 1 %kiln tune %s axpy --arg @x.npy --arg @x.npy --arg 2f0 --arg 'Val($N)' --param N=1 --threads 'M * 2' --reference plain --device cpu --no-cache 2>&1 | %filecheck %s --check-prefix=EXPRESSION
# EXPRESSION: threads:1:1: expression error[144]: there is no parameter or size `M`
# RUN: %status 2 %kiln tune %s axpy --arg @x.npy --arg @x.npy --arg 2f0 --arg 'Val($N)' --param N=1 --threads 4 --reference plain --device cpu --devices all --no-cache 2>&1 | %filecheck %s --check-prefix=DEVICES
# DEVICES: usage error[200]: --devices divides the search among CUDA GPUs: give --device cuda
# RUN: %status 2 %kiln tune %s axpy --param N=1 --devices some 2>&1 | %filecheck %s --check-prefix=SOME
# SOME: --devices: some not in {all}

using CUDA

function axpy(y, x, a, ::Val{N}) where {N}
    first = ((blockIdx().x - 1) * blockDim().x + threadIdx().x - 1) * N
    for k in 1:N
        i = first + k
        if i <= length(y)
            y[i] = N == 3 ? 0f0 : a * x[i] + y[i]
        end
    end
    return
end

function plain(y, x, a)
    for i in 1:length(y)
        y[i] = a * x[i] + y[i]
    end
    return
end

function strided(y, x, a)
    for i in length(y):-1:1
        y[i] = a * x[i] + y[i]
    end
    return
end
