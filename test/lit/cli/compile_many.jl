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
# SOME: error: 2 of 3 calls failed
# RUN: cat %t/some/index.json | %filecheck %s --check-prefix=ERRORS
# ERRORS: "file": "f.s"
# ERRORS-NEXT: "call": "h(Int64)", "error": "
# ERRORS-NEXT: "call": "bad(CuDeviceVector{Float32,1})", "error": "
#
# RUN: %status 2 %kiln compile %s 'f(CuDeviceVector{Float32,1})' 'g(CuDeviceVector{Float32,1})' --no-cache 2>&1 | %filecheck %s --check-prefix=NOWHERE
# NOWHERE: several calls have several artifacts: name a folder for them with -o DIR/
# RUN: %status 1 %kiln compile %s 'f(CuDeviceVector{Float32,1})' 'g(CuDeviceVector{Float32,1})' --no-cache -o %t/alone.ptx 2>&1 | %filecheck %s --check-prefix=FILE
# FILE: cannot write into {{.*}}alone.ptx

f(y) = (y[1] = 1; return)
g(y) = (y[1] = 2; return)
bad(y) = (y[1] = not_defined(); return)
