# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Architecture and PTX ISA are checked by Kiln: LLVM would only warn and take another.
#
# RUN: %kiln compile %s 'kernel()' --target ptx --arch sm_90a | %filecheck %s --check-prefix=HOPPER
# HOPPER: .version 8.5
# HOPPER: .target sm_90a
# RUN: %kiln compile %s 'kernel()' --target ptx --arch sm_75 --ptx-isa 6.5 | %filecheck %s --check-prefix=TURING
# TURING: .version 6.5
# TURING: .target sm_75
#
# RUN: %kiln compile %s 'kernel()' --target ptx --arch sm_100 | %filecheck %s --check-prefix=BLACKWELL
# BLACKWELL: .version 8.8
# BLACKWELL: .target sm_100
# RUN: %kiln compile %s 'kernel()' --target ptx --arch sm_120a --ptx-isa 8.7 | %filecheck %s --check-prefix=OLDER
# OLDER: .version 8.7
# OLDER: .target sm_120a
#
# RUN: %status 2 %kiln compile %s 'kernel()' --target ptx --arch sm_130 2>&1 | %filecheck %s --check-prefix=NEW
# NEW: usage error[200]: there is no architecture sm_130; allowed are sm_50, {{.*}}sm_90, sm_90a, {{.*}}sm_121a{{$}}
# RUN: %status 2 %kiln compile %s 'kernel()' --target ptx --ptx-isa 8.9 2>&1 | %filecheck %s --check-prefix=ISA
# ISA: usage error[200]: there is no PTX ISA 8.9; allowed are {{.*}}8.7, 8.8, 9.0{{$}}
# RUN: %status 2 %kiln compile %s 'kernel()' --target ptx --arch sm_90 --ptx-isa 6.0 2>&1 | %filecheck %s --check-prefix=BOTH
# BOTH: usage error[200]: sm_90 needs PTX ISA 7.8 or newer, not 6.0

kernel() = nothing
