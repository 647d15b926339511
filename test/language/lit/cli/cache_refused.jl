# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A folder that cannot be used costs a compile a warning, but what is for the folder alone fails; nothing is claimed that was not kept.
#
# RUN: rm -rf %t && mkdir -p %t/open && chmod 770 %t/open && touch %t/open/x %t/file
# RUN: %kiln compile %s 'k(CuDeviceVector{Float32,1})' --target ptx --cache %t/own -o %t/k.ptx
# RUN: %kiln cache export %t/archive --cache %t/own | %filecheck %s --check-prefix=EXPORT
# EXPORT: 2 entries written to
# RUN: %status 3 %kiln cache import %t/archive --cache %t/open 2>&1 | %filecheck %s --check-prefix=IMPORT
# RUN: %status 3 %kiln cache import %t/archive --cache %t/file 2>&1 | %filecheck %s --check-prefix=IMPORT
# IMPORT-DAG: 0 entries taken into
# IMPORT-DAG: error[300]: the folder {{.*}} does not hold 2 of the entries
# RUN: %status 3 %kiln cache clear --cache %t/open 2>&1 | %filecheck %s --check-prefix=REFUSED
# RUN: %status 3 %kiln cache verify --cache %t/file 2>&1 | %filecheck %s --check-prefix=REFUSED
# REFUSED: error[300]: the cache folder {{.*}} cannot be used
# RUN: %status 3 %kiln cache export %t/none --cache %t/typo 2>&1 | %filecheck %s --check-prefix=TYPO
# TYPO: error[300]: there is no cache folder {{.*}}typo
# RUN: not ls %t/none
#
# The shared folder below counts.
# RUN: env KILN_SHARED_CACHE_DIR=%t/own %kiln cache explain %s 'k(CuDeviceVector{Float32,1})' --target ptx --cache %t/other | %filecheck %s --check-prefix=SHARED
# SHARED: hit:
#
# Where files may not grow there is no entry.
# RUN: %kiln compile %s 'k(CuDeviceVector{Float32,1})' --target ptx --cache %t/own -o %t/again.ptx --timings=json 2>&1 | %filecheck %s --check-prefix=HIT
# HIT-NOT: "LLVM back-end"
# RUN: %if file_limit %{ bash -c "ulimit -f 0; %kiln compile %s 'k(CuDeviceVector{Float32,1})' --target ptx --cache %t/small 2>&1 | cat" | %filecheck %s --check-prefix=SMALL %}
# SMALL-DAG: an entry cannot be written: File too large (Kiln goes on without)
# SMALL-DAG: .visible .entry
#
# RUN: %status 2 env KILN_CACHE_SIZE=much %kiln compile %s 'k(CuDeviceVector{Float32,1})' --cache %t/own 2>&1 | %filecheck %s --check-prefix=SIZE
# SIZE: usage error[200]: the environment variable KILN_CACHE_SIZE takes a number from 0 on, not `much`
#
# A trace that was not read whole.
# RUN: env KILN_TRACE_JOBS=%t/trace %kiln compile %s 'k(CuDeviceVector{Float32,1})' --target ptx -o %t/traced.ptx
# RUN: %kiln precompile %t/trace --cache %t/filled
# RUN: sed 's/"config":{/"config":{"newer":1,/' %t/trace > %t/newer
# RUN: %status 1 %kiln precompile %t/newer --cache %t/filled 2>&1 | %filecheck %s --check-prefix=NEWER
# NEWER: newer:1: left out: this version of Kiln has no option newer
# NEWER: error[100]: 1 job of {{.*}}newer was left out
#
# A quotation mark in a path.
# REQUIRES: nvjitlink
# RUN: mkdir -p %t/'q"d' && cp %s %t/'q"d/k.jl'
# RUN: cd %t && %kiln compile 'q"d/k.jl' 'k(CuDeviceVector{Float32,1})' --target ptx --emit resources | %filecheck %s --check-prefix=QUOTE
# QUOTE: registers:

using CUDA

function k(y)
    @inbounds y[threadIdx().x] += 1f0
    return
end
