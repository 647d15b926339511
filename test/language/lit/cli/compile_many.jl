# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Several calls: a file for each and index.json; what fails does not keep the others back.
# RUN: rm -rf %t && mkdir %t
# RUN: %kiln compile %s 'f(CuDeviceVector{Float32,1})' 'g(CuDeviceVector{Float32,1})' 'f(CuDeviceVector{Float64,1})' --target ptx --no-cache -o %t/out
# RUN: ls %t/out | %filecheck %s --check-prefix=FILES
# FILES: {{^}}f-2.ptx
# FILES-NEXT: {{^}}f.ptx
# FILES-NEXT: {{^}}g.ptx
# FILES-NEXT: {{^}}index.json
# FILES-NOT: {{.}}
# RUN: %kiln compile %s 'f(CuDeviceVector{Float64,1})' --target ptx --no-cache -o %t/alone.ptx
# RUN: cmp %t/alone.ptx %t/out/f-2.ptx
# RUN: %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx --no-cache -o %t/alone.ptx
# RUN: cmp %t/alone.ptx %t/out/f.ptx
# RUN: python3 -c 'import json, sys; print(*[(job["call"], job["file"], job["entry"] in open(sys.argv[1] + "/" + job["file"]).read()) for job in json.load(open(sys.argv[1] + "/index.json"))], sep="\n")' %t/out | %filecheck %s --check-prefix=INDEX
# INDEX: ('f(CuDeviceVector{Float32,1})', 'f.ptx', True)
# INDEX-NEXT: ('g(CuDeviceVector{Float32,1})', 'g.ptx', True)
# INDEX-NEXT: ('f(CuDeviceVector{Float64,1})', 'f-2.ptx', True)
#
# RUN: %status 1 %kiln compile %s 'f(CuDeviceVector{Float32,1})' 'h(Int64)' 'bad(CuDeviceVector{Float32,1})' --no-cache -o %t/some/ 2>&1 | %filecheck %s --check-prefix=SOME
# SOME: UndefVarError
# SOME: error[100]: 2 of 3 jobs failed
# RUN: cat %t/some/index.json | %filecheck %s --check-prefix=ERRORS
# ERRORS: "file": "f.s"
# ERRORS-NEXT: "call": "h(Int64)", "error": "
# ERRORS-NEXT: "call": "bad(CuDeviceVector{Float32,1})", "error": "
#
# An unknown architecture is found before anything is written.
# RUN: %status 2 %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx --arch sm_80,sm_101 --no-cache -o %t/unknown/ 2>&1 | %filecheck %s --check-prefix=UNKNOWN
# UNKNOWN: sm_101 is called sm_110 since CUDA 13.0
# RUN: not test -e %t/unknown
#
# RUN: %status 2 %kiln compile %s 'f(CuDeviceVector{Float32,1})' 'g(CuDeviceVector{Float32,1})' --no-cache 2>&1 | %filecheck %s --check-prefix=NOWHERE
# NOWHERE: several calls have several artifacts: name a folder for them with -o DIR/
# RUN: %status 1 %kiln compile %s 'f(CuDeviceVector{Float32,1})' 'g(CuDeviceVector{Float32,1})' --no-cache -o %t/alone.ptx 2>&1 | %filecheck %s --check-prefix=FILE
# FILE: cannot write into {{.*}}alone.ptx
#
# One call and a folder, and what would overwrite an input or another product.
# RUN: %kiln compile %s 'f(CuDeviceVector{Float32,1})' --no-cache -o %t/one/
# RUN: cat %t/one/index.json | %filecheck %s --check-prefix=ONE
# ONE: "file": "f.s"
# RUN: mkdir %t/in && cp %s %t/in/k.jl && ln -s k.jl %t/in/f.s
# RUN: %status 2 %kiln compile %t/in/k.jl 'f(CuDeviceVector{Float32,1})' 'g(CuDeviceVector{Float32,1})' --no-cache -o %t/in 2>&1 | %filecheck %s --check-prefix=INPUT
# INPUT: f.s is an input, and would be overwritten
# RUN: cmp %s %t/in/k.jl
# RUN: %status 2 %kiln compile %t/in/k.jl 'f(CuDeviceVector{Float32,1})' --no-cache -o %t/f.s --timings=json:%t/in/k.jl 2>&1 | %filecheck %s --check-prefix=REPORT
# REPORT: would overwrite an input
# RUN: %status 2 %kiln compile %t/in/k.jl 'f(CuDeviceVector{Float32,1})' --no-cache -o %t/f.s --timings=json:%t/f.s 2>&1 | %filecheck %s --check-prefix=PRODUCT
# PRODUCT: would overwrite the product
# RUN: %status 2 %kiln compile %s 'f(CuDeviceVector{Float32,1})' --no-cache -o %t/f.s --timings xml 2>&1 | %filecheck %s --check-prefix=WORD
# WORD: `xml` stands behind calls and is none itself
# RUN: %status 2 %kiln cache explain %s 'g(CuDeviceVector{Float32,1})' 'f(CuDeviceVector{Float32,1})' --cache %t/none 2>&1 | %filecheck %s --check-prefix=TAKEN
# TAKEN: 2 calls, `g(CuDeviceVector{Float32,1})` and others, where one is taken

f(y) = (y[1] = 1; return)
g(y) = (y[1] = 2; return)
bad(y) = (y[1] = not_defined(); return)
