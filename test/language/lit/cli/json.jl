# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# --json: one object on standard output, with the same exit status as without it.
# RUN: rm -rf %t && mkdir %t && cp %S/inputs/manifests/* %t && cp %s %t/k.jl && cd %t
# RUN: %kiln run k.jl scale --arg 'ones(Float32, 8)' --threads 4 --blocks 2 --device cpu --out 1=y.npy --json | %json "d['function'] == 'scale'" "d['device'] == 'cpu'" "d['threads'] == [4, 1, 1]" "d['blocks'] == [2, 1, 1]" "d['shared_bytes'] == 0" "0 < d['seconds_with_compiling'] < 100" "d['outputs'] == [{'argument': 1, 'file': 'y.npy'}]" "'value' not in d"
# RUN: %npy show y.npy | %filecheck %s --check-prefix=TWICE
# TWICE: values 2.0 2.0 2.0 2.0 2.0 2.0 2.0 2.0
# RUN: %kiln run k.jl plain --arg 20 --no-kernel --device cpu --json | %json "d['value'] == '21'" "'threads' not in d" "d['outputs'] == []"
# RUN: %status 2 %kiln run k.jl scale --arg 'ones(Float32, 8)' --device cpu --emit asm --json 2>&1 | %filecheck %s --check-prefix=BOTH
# BOTH: usage error[200]: --json and the product of --emit both go to standard output: name a file by -o
# RUN: %status 1 %kiln run k.jl nobody --device cpu --json 2>/dev/null | %empty
#
# RUN: %kiln bench k.jl scale --arg 'ones(Float32, 8)' --threads 4 --blocks 2 --device cpu --batch 3 --reps 4 --warmup 2 --bytes 64 --json > bench.json
# RUN: %json "d['function'] == 'scale'" "d['device'] == 'the CPU'" "(d['batch'], d['reps'], d['warmup']) == (3, 4, 2)" "0 < d['kernel_seconds']['min'] <= d['kernel_seconds']['median'] <= d['kernel_seconds']['max'] < 10" "d['host_seconds'] == d['kernel_seconds']" "abs(d['bytes_per_second'] * d['kernel_seconds']['median'] - 64) < 0.001" "'flops_per_second' not in d" < bench.json
#
# RUN: %kiln precompile good.json --cache c --dry-run --json | %json "len(d['planned_jobs']) == 17" "'fill!(CuDeviceVector{Float32,1}, Val{1}) for this CPU' in d['planned_jobs']"
# RUN: %kiln precompile small.json --cache c --json | %json "(d['jobs'], d['hits'], d['compiled'], d['failed'], d['skipped']) == (1, 0, 1, 0, 0)" "d['products'] == 1 and d['written_bytes'] > 100" "d['folder'].endswith('/c')" "d['interrupted'] is False" "0 < d['seconds'] < 100" "len(d['slowest']) == 1 and d['slowest'][0]['job'].startswith('copy!(')" "0 < d['slowest'][0]['seconds'] <= d['seconds']" "d['failures'] == []"
# RUN: %kiln precompile small.json --cache c --json | %json "(d['hits'], d['compiled'], d['products'], d['written_bytes']) == (1, 0, 0, 0)" "d['slowest'] == []"
# RUN: %status 1 %kiln precompile failing.json --cache c2 --json 2>/dev/null | %json "(d['jobs'], d['failed']) == (3, 2)" "sorted(each['number'] for each in d['failures']) == [102, 103]"
#
# RUN: %kiln cache stat --cache c --json | %json "d['entries'] == 2" "(d['hits'], d['misses']) == (1, 1)" "d['budget_bytes'] == 2**30" "d['size_bytes'] > 100" "d['compiled'] == {'new_code': 1, 'changed_callees': 0, 'other_options': 0, 'other_device_library': 0, 'new_text': 0}" "0 <= d['oldest_use_seconds'] < 7200"
# RUN: %kiln cache stat --cache none --json | %json "(d['entries'], d['size_bytes']) == (0, 0)" "d['oldest_use_seconds'] is None"
# RUN: %kiln cache ls --cache c --json | %json "sorted(each['kind'] for each in d['entries']) == ['edges', 'obj']" "[each for each in d['entries'] if each['kind'] == 'obj'][0]['job'].startswith('copy!(')" "all(len(each['key']) == 32 and each['size_bytes'] > 64 for each in d['entries'])"
# RUN: %kiln cache explain kernels.jl 'copy!(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' --cache c --json | %json "[each['hit'] for each in d['jobs']] == [True]" "d['skipped'] == []" "d['jobs'][0]['compile_seconds'] > 0"
# RUN: %kiln cache explain kernels.jl 'copy!(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' -O3 --cache c --json | %json "not d['jobs'][0]['hit']" "d['jobs'][0]['nearest']['differences'] == ['opt_level: 2 there, 3 here']"
# RUN: %kiln cache explain small.json --cache c --json | %json "len(d['jobs']) == 1 and d['jobs'][0]['hit']"
# RUN: %kiln cache verify small.json --cache c --json | %json "(d['entries'], d['artifacts'], d['checked'], d['absent']) == (2, 1, 1, 0)" "d['damaged'] == d['wrong'] == d['not_compiled'] == []" "0 < d['seconds'] < 100"
#
# RUN: %timings_inputs .
# RUN: %status 5 %kiln timings diff base.json slower.json --json > diff.json
# RUN: %json "(d['before_runs'], d['after_runs'], d['threshold_percent'], d['slower']) == (1, 1, 10, True)" "d['changes'][0] == {'job': '', 'stage': '', 'before_seconds': 0.01, 'after_seconds': 0.012, 'verdict': 'slower'}" < diff.json
# RUN: %kiln timings diff slower.json base.json --json | %json "d['slower'] is False" "d['changes'][0]['verdict'] == 'faster'"
#
# RUN: env KILN_CUDA_HOME=/nowhere KILN_CUDA_DRIVER=/nowhere/libcuda.so %kiln doctor --json > doctor.json
# RUN: %json "d['llvm_version'].startswith('22.')" "len(d['build']) > 4" "{each['name']: each['found'] for each in d['findings']}['ptxas'] is False" "{each['name']: each['available'] for each in d['abilities']}['compile PTX'] is True" "{each['name']: each['available'] for each in d['abilities']}['assemble cubins'] is False" "all(each['available'] or (each['reason'] and each['remedy']) for each in d['abilities'])" < doctor.json
# RUN: %status 2 %kiln doctor --architectures --json

using CUDA

function scale(y)
    y[(blockIdx().x - 1) * blockDim().x + threadIdx().x] *= 2f0
    return
end

plain(x) = x + 1
