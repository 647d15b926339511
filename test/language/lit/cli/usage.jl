# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Wrong usage ends with status 2, says what is wrong, and leaves standard output empty.
# REQUIRES: programs
# RUN: %status 2 %kiln 2>&1 | %filecheck %s --check-prefix=NOTHING
# NOTHING: usage error[200]: kiln needs a command
# NOTHING: hint: there are compile, run, {{.*}}; kiln --help
# RUN: %status 2 %kiln frobnicate 2>&1 | %filecheck %s --check-prefix=COMMAND --match-full-lines
#      COMMAND: usage error[200]: kiln has no command `frobnicate`
# COMMAND-NEXT: hint: there are compile, run, bench, script, repl, tune, advise, timings, explain, cache, precompile, bundle, doctor, completion; kiln --help describes them
# RUN: %status 2 %kiln complie %s 'f(Int64)' 2>&1 | %filecheck %s --check-prefix=MEANT
# MEANT: usage error[200]: kiln has no command `complie`
# MEANT: hint: did you mean compile? there are compile, run
# RUN: %status 2 %kiln rnu %s f 2>&1 | %filecheck %s --check-prefix=SWAPPED
# SWAPPED: hint: did you mean run?
# RUN: %status 2 %kiln cmpile 2>&1 | %filecheck %s --check-prefix=MISSING
# MISSING: hint: did you mean compile?
# RUN: %status 2 %kiln stat 2>&1 | %filecheck %s --check-prefix=BELOW
# BELOW: hint: did you mean kiln cache stat?
# RUN: %status 2 %kiln --target ptx compile %s 'f(Int64)' 2>&1 | %filecheck %s --check-prefix=EARLY
# EARLY: usage error[200]: --target belongs to a command, and stands after its name
# RUN: %status 2 %kiln compile %s 'f(Int64)' -target ptx 2>&1 | %filecheck %s --check-prefix=ONEDASH
# ONEDASH: usage error[200]: there is no option -target; did you mean --target?
# RUN: %status 2 %kiln version 2>&1 | %filecheck %s --check-prefix=VERSION
# VERSION: hint: did you mean --version?
# RUN: %status 2 %kiln cache stats 2>&1 | %filecheck %s --check-prefix=STATS
# STATS: usage error[200]: kiln cache has no command `stats`
# STATS: hint: did you mean stat? there are stat
# RUN: %status 2 %kiln list 2>&1 | %filecheck %s --check-prefix=LIST
# LIST: hint: did you mean kiln cache ls? there are compile
# RUN: %status 2 %kiln cache list 2>&1 | %filecheck %s --check-prefix=CACHELIST
# CACHELIST: hint: did you mean ls? there are stat
# RUN: %kiln help cache stat | %filecheck %s --check-prefix=HELP
# HELP: kiln cache stat
# RUN: %kiln help | %filecheck %s --check-prefix=HELPALL
# HELPALL: precompile
# RUN: %status 2 %kiln %s 'f(Int64)' 2>&1 | %filecheck %s --check-prefix=FILE
# FILE: usage error[200]: kiln has no command `{{.*}}usage.jl`
# RUN: %status 2 %kiln compile %s 'f(Int64)' --frobnicate 2>&1 | %filecheck %s --check-prefix=UNKNOWN
# UNKNOWN: usage error[200]: there is no option --frobnicate{{$}}
# UNKNOWN: hint: kiln compile FILE.jl... 'f(T1, T2)' [OPTIONS]; kiln compile --help lists the options
# RUN: %status 2 %kiln compile %s 'f(Int64)' --arhc sm_90 --target ptx 2>&1 | %filecheck %s --check-prefix=LIKE
# LIKE: usage error[200]: there is no option --arhc; did you mean --arch?
# RUN: %status 2 %kiln precompile one.json two.json three.json 2>&1 | %filecheck %s --check-prefix=EXTRA
# EXTRA: usage error[200]: `two.json` was not expected{{$}}
# RUN: %status 2 %kiln compile %s 2>&1 | %filecheck %s --check-prefix=NOCALL
# NOCALL: usage error[200]: compile takes files and then a call
# RUN: %status 2 %kiln run %s 2>&1 | %filecheck %s --check-prefix=NOFUNCTION
# NOFUNCTION: usage error[200]: run takes files and then a function
# RUN: %status 2 %kiln compile %s 'f(Int64)' -O7 2>&1 | %filecheck %s --check-prefix=LEVEL
# LEVEL: usage error[200]: -O takes a whole number from 0 to 3, not `7`
# RUN: %status 2 %kiln compile %s 'f(Int64)' --target metal 2>&1 | %filecheck %s --check-prefix=TARGET
# TARGET: usage error[200]: --target takes native, ptx or spirv, not `metal`
# RUN: %status 2 %kiln compile %s 'f(Int64)' --target ptx --arch hopper 2>&1 | %filecheck %s --check-prefix=ARCH
# ARCH: usage error[200]: --arch takes sm_<number>, such as sm_90, sm_90a or sm_100f, not `hopper`
# RUN: %status 2 %kiln compile %s 'f(Int64)' --target ptx --arch sm_91 2>&1 | %filecheck %s --check-prefix=SM
# SM: sm_91
# RUN: %status 2 %kiln compile %s 'f(Int64)' --arch sm_90 2>&1 | %filecheck %s --check-prefix=NATIVEARCH
# NATIVEARCH: usage error[200]: --arch: sm_90 is an architecture of the target ptx
# RUN: %status 2 %kiln compile %s 'f(Int64)' --target ptx --ptx-isa x 2>&1 | %filecheck %s --check-prefix=ISA
# ISA: usage error[200]: --ptx-isa takes a version such as 8.5, not `x`
# RUN: %status 2 %kiln compile %s 'f(Int64)' --maxthreads 256 2>&1 | %filecheck %s --check-prefix=BOUNDS
# BOUNDS: usage error[200]: --maxthreads is for the target ptx, not native
# RUN: %status 2 %kiln compile %s 'f(Int64)' --kernel --no-kernel 2>&1 | %filecheck %s --check-prefix=BOTH
# BOTH: usage error[200]: --kernel and --no-kernel exclude each other
# RUN: %status 2 %kiln compile %s 'f(Int64)' --emit spam 2>&1 | %filecheck %s --check-prefix=EMIT
# EMIT: usage error[200]: --emit takes lowered, typed, warntype, llvm, llvm-opt, asm, obj, cubin, sass or resources, not `spam`
# RUN: %status 2 %kiln compile %s 'f(Int64)' --emit ptx 2>&1 | %filecheck %s --check-prefix=EMITPTX
# EMITPTX: hint: PTX is --target ptx --emit asm
# RUN: %status 1 %kiln compile %s f 2>&1 | %filecheck %s --check-prefix=TYPES
# TYPES: MethodError[102]: no method matching f()
# TYPES: hint: write the argument types: 'f(CuDeviceVector{Float32,1}, Float32)'
# RUN: %status 1 %kiln run %s 'f(Nowhere)' --device cpu 2>&1 | %filecheck %s --check-prefix=RUNCALL
# RUNCALL: hint: run takes a function; its types come from the arguments: kiln run {{.*}}usage.jl f --arg EXPR ...
# RUN: %kiln run -v %s g --arg 1 --threads 2 --device cpu 2>&1 | %filecheck %s --check-prefix=RAN
# RAN: kiln: info: g: 1 block of 2 threads on the CPU, {{[0-9.]+}} ms with compiling
# RUN: %kiln run -v --quiet %s g --arg 1 --device cpu 2>&1 | %empty
# RUN: %kiln --quiet run -v %s g --arg 1 --device cpu 2>&1 | %empty
# RUN: %status 1 %kiln --color always compile %s 'f()' 2>&1 | %filecheck %s --check-prefix=COLOUR
# COLOUR: {{.\[}}
# RUN: %status 1 %kiln run %s f --device cpu 2>&1 | %filecheck %s --check-prefix=NOARG
# NOARG: MethodError[102]: no method matching f()
# NOARG: hint: there is no --arg
# RUN: %status 1 %kiln precompile %s 2>&1 | %filecheck %s --check-prefix=JULIA
# JULIA: error[100]: {{.*}}usage.jl is Julia, and a manifest or a trace is expected
# RUN: %kiln compile %s 'f(Int64)' 'f(Int32)' -o %t.products 2>&1 | %filecheck %s --check-prefix=FOLDER
# FOLDER: kiln: info: {{.*}}.products is a folder: it has 2 files and index.json
# RUN: %kiln compile %s 'f(Int64)' --timings json 2>&1 >/dev/null | %filecheck %s --check-prefix=FORM
# FORM: {"kiln_timings": 1
# RUN: %kiln script %s --device cpu 2>&1 | %filecheck %s --check-prefix=AFTER
# AFTER: kiln: info: --device goes to {{.*}}usage.jl: options of kiln stand before the file
# RUN: %kiln script %s -- --device cpu 2>&1 | %empty
# RUN: env KILN_ASSEMBLER=nasm %status 2 %kiln compile %s 'f(Int64)' --target ptx --no-kernel --emit resources 2>&1 | %filecheck %s --check-prefix=CUBIN
# CUBIN: usage error[200]: KILN_ASSEMBLER=nasm: it takes nvjitlink, ptxas or driver
# RUN: %status 2 %kiln run %s f --arg 1 --no-kernel --device cuda 2>&1 | %filecheck %s --check-prefix=PLAIN
# PLAIN: usage error[200]: --no-kernel: a plain function runs on the CPU (--device cpu)
# RUN: %status 2 %kiln run %s f --arg 1 --device cuda --check 2>&1 | %filecheck %s --check-prefix=GPUCHECK
# GPUCHECK: usage error[200]: --check is for the CPU (--device cpu); on a GPU, compute-sanitizer checks
# RUN: %status 2 %kiln compile %s 'f(Int64)' --emit sass 2>&1 | %filecheck %s --check-prefix=SASS
# SASS: usage error[200]: --emit sass is for --target ptx
# RUN: %status 2 %kiln compile %s 'f(Int64)' --timings=xml 2>&1 | %filecheck %s --check-prefix=TIMINGS
# TIMINGS: usage error[200]: --timings takes table, short, json, json:FILE, trace:FILE, html:FILE, otlp or otlp:FILE, not `xml`
# RUN: %status 2 %kiln run %s f --arg 1 --threads 0 2>&1 | %filecheck %s --check-prefix=THREADS
# THREADS: usage error[200]: --threads takes X[,Y[,Z]], numbers above 0, not `0`
# RUN: %status 2 %kiln run %s f --arg 1 --blocks 1,2,3,4 2>&1 | %filecheck %s --check-prefix=BLOCKS
# BLOCKS: usage error[200]: --blocks takes X[,Y[,Z]], numbers above 0, not `1,2,3,4`
# RUN: %status 2 %kiln run %s f --arg 1 --out y.npy 2>&1 | %filecheck %s --check-prefix=OUT
# OUT: usage error[200]: --out takes N=FILE.npy, not `y.npy`
# RUN: %status 2 %kiln run %s f --arg 1 --out 2=y.npy 2>&1 | %filecheck %s --check-prefix=OUTCOUNT
# OUTCOUNT: usage error[200]: --out 2=y.npy: there is 1 argument, counted from 1
# RUN: %status 2 %kiln run %s f --arg 1 --device tpu 2>&1 | %filecheck %s --check-prefix=DEVICE
# DEVICE: usage error[200]: no device is named `tpu`: take cpu, cuda or opencl (the first GPU or OpenCL device), cuda:N or opencl:N with a number from 0
# RUN: %status 2 %kiln script --device gpu %s 2>&1 | %filecheck %s --check-prefix=SCRIPT
# SCRIPT: usage error[200]: no device is named `gpu`: take cpu, cuda or opencl (the first GPU or OpenCL device), cuda:N
# RUN: %status 2 %kiln repl --device cuda:x < /dev/null 2>&1 | %filecheck %s --check-prefix=NUMBER
# NUMBER: usage error[200]: no device is named `cuda:x`: take cpu
# RUN: %status 2 %kiln bench %s f --arg 1 --device cuda:1x 2>&1 | %filecheck %s --check-prefix=DIGITS
# DIGITS: usage error[200]: no device is named `cuda:1x`: take cpu
# RUN: %status 2 %kiln run %s f --arg 1 --device opencl --target ptx 2>&1 | %filecheck %s --check-prefix=OPENCLPTX
# OPENCLPTX: usage error[200]: --target ptx is for a GPU: --device cuda
# RUN: %status 2 %kiln run %s f --arg 1 --device cuda --target spirv 2>&1 | %filecheck %s --check-prefix=CUDASPIRV
# CUDASPIRV: usage error[200]: --target spirv is for an OpenCL device: --device opencl
# RUN: %status 2 %kiln run %s f --arg 1 --device opencl --check 2>&1 | %filecheck %s --check-prefix=OPENCLCHECK
# OPENCLCHECK: usage error[200]: --check is for the CPU (--device cpu){{$}}
# RUN: %status 2 %kiln run %s f --arg 1 --device opencl --quick-tier 2>&1 | %filecheck %s --check-prefix=OPENCLQUICK
# OPENCLQUICK: usage error[200]: --quick-tier is for GPUs (--device cuda)
# RUN: %status 3 env KILN_OPENCL_DRIVER=/nowhere/libOpenCL.so %kiln run %s f --arg 1 --device opencl 2>&1 | %filecheck %s --check-prefix=NOOPENCL
# NOOPENCL: error[300]: no OpenCL: /nowhere/libOpenCL.so, which KILN_OPENCL_DRIVER names, cannot be opened
# RUN: %status 2 %kiln run %s f --arg 1 --capture 'T=Int64' 2>&1 | %filecheck %s --check-prefix=CAPTURE
# CAPTURE: usage error[200]: --capture is for a kernel inside a host function, which is written host/kernel
# RUN: %status 2 %kiln run %s host/kernel --arg 1 --capture T 2>&1 | %filecheck %s --check-prefix=NAMELESS
# NAMELESS: usage error[200]: --capture takes NAME=EXPR, not `T`
# RUN: %status 2 %kiln precompile --jobs 2 2>&1 | %filecheck %s --check-prefix=PRECOMPILE
# PRECOMPILE: usage error[200]: manifest is required
# RUN: %status 2 %kiln cache stat 2>&1 | %filecheck %s --check-prefix=CACHE
# CACHE: usage error[200]: there is no cache folder: name one with --cache or KILN_CACHE_DIR
# RUN: %status 1 %kiln run %s f --arg 1 --device cpu 2>&1 | %filecheck %s --check-prefix=RETURNS
# RETURNS: KernelError[126]: kernel returns a value of type `Int64`
# RETURNS: hint: Make sure your kernel function ends in {{.*}} `nothing`. --no-kernel calls a plain function.{{$}}
#
# RUN: %status 2 %kiln compile %s 'f(Int64)' --target metal 2>/dev/null | %empty

f(x) = x
g(x) = nothing
