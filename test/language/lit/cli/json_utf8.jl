# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# JSON is UTF-8 (RFC 8259, 8.1), also if the name of a file is not: U+FFFD replaces the byte.
#
# RUN: rm -rf %t && mkdir %t && cp %s %t/one.jl
# RUN: sh -c 'mv "$1/one.jl" "$1/$(printf "\303\251\377.jl")"' _ %t
# RUN: sh -c 'cd "$2" && "$1" compile *.jl "one(CuDeviceVector{Float32,1})" --target ptx --no-cache -o k.ptx --timings=json:r.json' _ %kiln %t
# RUN: iconv -f UTF-8 -t UTF-8 %t/r.json | %filecheck %s
# CHECK: "title": "{{.*}}compile é�.jl one(
# CHECK: "file": "é�.jl"
function one(x)
    x[1] = 1.0f0
    return
end
