# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A tool that is older than the PTX, or so new that it dropped the architecture, gives one error with status 3 that names
# what is needed. The tools are scripts that tell their version.
# RUN: rm -rf %t && mkdir -p %t/old/bin %t/new/bin
# RUN: printf '#!/bin/sh\necho "Cuda compilation tools, release 12.4, V12.4.131"\n' > %t/old/bin/ptxas
# RUN: printf '#!/bin/sh\necho "Cuda compilation tools, release 13.0, V13.0.88"\n' > %t/new/bin/ptxas
# RUN: chmod +x %t/old/bin/ptxas %t/new/bin/ptxas
#
# RUN: env KILN_ASSEMBLER=ptxas KILN_CUDA_HOME=%t/old %status 3 %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx --emit cubin -o %t/k.cubin 2>&1 | %filecheck %s --check-prefix=LOWER
#      LOWER: error[300]: the code for sm_90 is PTX ISA 8.5, and ptxas 12.4.131 reads PTX ISA up to 8.4
# LOWER-NEXT: hint: lower it with --ptx-isa 8.4, or install the CUDA toolkit 12.5 or newer (KILN_CUDA_HOME names its folder); or keep the PTX (--emit asm), which a driver assembles
#
# RUN: env KILN_ASSEMBLER=ptxas KILN_CUDA_HOME=%t/old %status 3 %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx --arch sm_100f --emit cubin -o %t/k.cubin 2>&1 | %filecheck %s --check-prefix=NEEDS
#      NEEDS: error[300]: the code for sm_100f is PTX ISA 8.8, and ptxas 12.4.131 reads PTX ISA up to 8.4
# NEEDS-NEXT: hint: install the CUDA toolkit 12.9 or newer (KILN_CUDA_HOME names its folder); sm_100f came with PTX ISA 8.8; or keep the PTX
#
# RUN: env KILN_ASSEMBLER=ptxas KILN_CUDA_HOME=%t/new %status 3 %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx --arch sm_70 --emit cubin -o %t/k.cubin 2>&1 | %filecheck %s --check-prefix=DROPPED
#      DROPPED: error[300]: ptxas 13.0.88 no longer assembles for sm_70: CUDA 12.9 was the last toolkit that did
# DROPPED-NEXT: hint: install the CUDA toolkit 12.9 or older (KILN_CUDA_HOME names its folder); or keep the PTX (--emit asm), which a driver assembles
#
# Several architectures: those that the tool takes are not kept back. (The script makes no cubin.)
# RUN: env KILN_ASSEMBLER=ptxas KILN_CUDA_HOME=%t/old %status 3 %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx --arch sm_110,sm_121a --emit cubin --no-cache -o %t/out/ 2>&1 | %filecheck %s --check-prefix=SEVERAL
# SEVERAL: error[300]: the code for sm_110 is PTX ISA 9.0, and ptxas 12.4.131 reads PTX ISA up to 8.4
# SEVERAL: hint: install the CUDA toolkit 13.0 or newer
# SEVERAL: error[300]: the code for sm_121a is PTX ISA 8.8
# SEVERAL: error[300]: 2 of 2 jobs failed
# RUN: cat %t/out/index.json | %filecheck %s --check-prefix=INDEX
# INDEX: "arch": "sm_110", "error": "the code for sm_110 is PTX ISA 9.0
#
# The PTX itself needs none of them.
# RUN: env KILN_ASSEMBLER=ptxas KILN_CUDA_HOME=%t/old %kiln compile %s 'f(CuDeviceVector{Float32,1})' --target ptx --arch sm_110 | %filecheck %s --check-prefix=TEXT
# TEXT: .version 9.0
# TEXT: .target sm_110

f(y) = (y[1] = 1; return)
