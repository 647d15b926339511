# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln cache ls, and the counters of kiln cache stat.
# RUN: rm -rf %t && mkdir %t && cd %t && echo 'callee(x) = x + 1f0' > callee.jl && cp %s k.jl
# RUN: %kiln cache ls --cache c | %filecheck %s --check-prefix=EMPTY
# EMPTY: 0 products, and 0 records of 0 bytes
# RUN: %kiln compile callee.jl k.jl 'f(CuDeviceVector{Float32,1})' --target ptx --arch sm_80 -o k.ptx --cache c
# RUN: %kiln compile callee.jl k.jl 'f(CuDeviceVector{Float32,1})' --kernel --emit obj -o k.o --cache c
# RUN: %kiln cache ls --cache c | %filecheck %s --check-prefix=TWO
#     TWO: last use bytes kind target job (build)
# TWO-DAG: {{20[0-9-]+ [0-9]+}}:00 {{[0-9]+}} asm ptx sm_80 f(CuDeviceArray{Float32, 1, 1}) (kiln {{.*}} llvm 22{{.*}})
# TWO-DAG: {{20[0-9-]+ [0-9]+}}:00 {{[0-9]+}} obj native{{.*}} f(CuDeviceArray{Float32, 1, 1}) (kiln
#     TWO: 2 products, and {{[12]}} record{{s?}} of {{[0-9]+}} bytes
# Listing is no use of an entry: a product of last year stays as old.
# RUN: find c/v1 -type f -path '*/??/*' -exec touch -d '2025-01-01 12:00' '{}' +
# RUN: %kiln cache ls --cache c | %filecheck %s --check-prefix=OLD
# RUN: %kiln cache ls --cache c | %filecheck %s --check-prefix=OLD
# OLD: 2025-01-01 12:00
#
# Causes: first two compiles of new code; other options; then a callee changes, and the function itself.
# RUN: %kiln cache stat --cache c | %filecheck %s --check-prefix=NEW
#      NEW: misses: 2
# NEW-NEXT: hit rate: 0.0 %
# NEW-NEXT: compiled: new code: function, types or build of Kiln: 2
#  NEW-NOT: compiled:
# RUN: %kiln cache stat --zero --cache c | %filecheck %s --check-prefix=NEW
# RUN: %kiln cache stat --cache c --json | %json "(d['hits'], d['misses']) == (0, 0)" "set(d['compiled'].values()) == {0}" "d['entries'] > 2"
# RUN: %kiln compile callee.jl k.jl 'f(CuDeviceVector{Float32,1})' --target ptx --arch sm_80 -O3 -o k.ptx --cache c
# RUN: %kiln cache stat --cache c --json | %json "d['compiled']['other_options'] == 1" "sum(d['compiled'].values()) == 1"
# RUN: echo 'callee(x) = x + 2f0' > callee.jl
# RUN: %kiln compile callee.jl k.jl 'f(CuDeviceVector{Float32,1})' --target ptx --arch sm_80 -o k.ptx --cache c
# RUN: %kiln cache stat --cache c --json | %json "d['compiled']['changed_callees'] == 1" "sum(d['compiled'].values()) == 2"
# RUN: sed -i 's/+= callee/-= callee/' k.jl
# RUN: %kiln compile callee.jl k.jl 'f(CuDeviceVector{Float32,1})' --target ptx --arch sm_80 -o k.ptx --cache c
# RUN: %kiln cache stat --cache c --json | %json "d['compiled']['new_code'] == 1" "sum(d['compiled'].values()) == 3"
# RUN: %kiln compile callee.jl k.jl 'f(CuDeviceVector{Float32,1})' --target ptx --arch sm_80 -o k.ptx --cache c
# RUN: %kiln cache stat --cache c --json | %json "d['hits'] == 1" "sum(d['compiled'].values()) == 3"
#
# A damaged entry is named, and the others are listed.
# RUN: %kiln compile callee.jl k.jl 'f(CuDeviceVector{Float32,1})' --target ptx -o k.ptx --cache d
# RUN: find d/v1 -type f -path '*/??/*' -exec truncate -s -1 '{}' ';'
# RUN: %status 0 %kiln cache ls --cache d | %filecheck %s --check-prefix=DAMAGED
# DAMAGED: damaged entry {{[0-9a-f]+}}: kiln cache verify drops it
# DAMAGED: 2 products
# RUN: %kiln cache ls --cache d --json | %json "{each['kind'] for each in d['entries']} == {'damaged'}"
# RUN: %status 3 %kiln cache ls --cache k.jl

function f(y)
    y[threadIdx().x] += callee(y[1])
    return
end
