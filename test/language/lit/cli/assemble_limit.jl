# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# --assemble-limit: an assembler that takes too long is ended, and the kernel is assembled at -O1. The assembler is a script
# that takes five seconds above -O1, and writes its level in place of a cubin.
# RUN: rm -rf %t && mkdir -p %t/cuda/bin && cd %t
# RUN: printf '#!/bin/sh\n[ "$1" = --version ] && { echo "Cuda compilation tools, release 13.0, V13.0.88"; exit; }\nwhile [ $# -gt 1 ]; do case $1 in -o) out=$2; shift;; -O*) level=$1;; esac; shift; done\necho $level >> calls\n[ $level = -O1 ] && [ ! -e hopeless ] || sleep 5\necho $level > $out\n' > cuda/bin/ptxas
# RUN: chmod +x cuda/bin/ptxas && export KILN_ASSEMBLER=ptxas && export KILN_CUDA_HOME=%t/cuda && export KILN_CACHE_DIR=%t/cache
#
# RUN: %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx -O3 --emit cubin -o k.cubin --assemble-limit 3 2>&1 | %filecheck %s --check-prefix=WARNED
#      WARNED: warning: {{.*}}assemble_limit.jl:[[#]]:{{.*}} the assembler took longer than 3 s for `f` at -O3, which is the limit (--assemble-limit): it runs code of -O1, which may be slower
# RUN: grep -x -- -O1 k.cubin
# RUN: printf '%%s\n' -O3 -O1 | diff - calls
#
# The folder keeps it for this limit alone: a session that must not compile finds it, and one without a limit does not.
# RUN: %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx -O3 --emit cubin -o k.cubin --assemble-limit 3 --compile never 2>&1 | %filecheck %s --check-prefix=WARNED
# RUN: %status 2 %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx -O3 --emit cubin -o k.cubin --compile never 2>&1 | %filecheck %s --check-prefix=NEVER
# NEVER: NotCompiled[205]
# RUN: printf '%%s\n' -O3 -O1 | diff - calls
# RUN: env KILN_ASSEMBLE_LIMIT=3 %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx -O3 --emit cubin -o k.cubin --assemble-limit 0
# RUN: grep -x -- -O3 k.cubin
# RUN: %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx -O3 --emit cubin -o k.cubin --assemble-limit 3 2>&1 | %empty
# RUN: grep -x -- -O3 k.cubin
# RUN: %kiln cache verify | %filecheck %s --check-prefix=RIGHT
# RIGHT: 0 of them differed
#
# Code of -O1 that takes too long is an error.
# RUN: touch hopeless
# RUN: %status 3 %kiln compile %s 'g(CuDeviceVector{Float32,1})' --target ptx --emit cubin -o none.cubin --assemble-limit 3 2>&1 | %filecheck %s --check-prefix=ERROR
#      ERROR: AssembleLimit[304]: the assembler took longer than 3 s for `g` at -O1, which is the limit (--assemble-limit)
#      ERROR: hint: raise the limit
# RUN: test ! -e none.cubin
#
# RUN: %status 2 %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx --emit cubin --assemble-limit -1
# RUN: %status 2 %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx --emit cubin --assemble-limit soon
# RUN: env KILN_ASSEMBLE_LIMIT=soon %status 2 %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx --emit cubin 2>&1 | %filecheck %s --check-prefix=VARIABLE
# VARIABLE: the environment variable KILN_ASSEMBLE_LIMIT takes 0 to 1000000 seconds, not `soon`

f(y) = (y[1] = 1; return)
g(y) = (y[1] = 2; return)
