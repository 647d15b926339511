# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An exception is reported and ends the thread. A trap would end the whole CUDA context.
#
# Level 0 only tells that there was one; 1 names it and the program's own line; 2 has all frames.
# RUN: %kiln compile %s 'store(CuDeviceVector{Float32,1}, Int64)' --target ptx -g0 > %t.0
# RUN: %kiln compile %s 'store(CuDeviceVector{Float32,1}, Int64)' --target ptx -g1 > %t.1
# RUN: %kiln compile %s 'store(CuDeviceVector{Float32,1}, Int64)' --target ptx -g2 > %t.2
# RUN: %filecheck %s --check-prefix=SIGNAL < %t.0
# SIGNAL: .visible .entry
# SIGNAL: setp
# SIGNAL-NOT: call
# SIGNAL: atom.acq_rel.sys.global.cas.b32
# SIGNAL: membar.sys
# SIGNAL: exit;
# SIGNAL-NOT: .func
#
# The host may look while the kernel runs: the record is claimed for the whole system. Before sm_60 atomics have no scopes.
# RUN: %kiln compile %s 'store(CuDeviceVector{Float32,1}, Int64)' --target ptx -g0 --arch sm_60 | %filecheck %s --check-prefix=PASCAL
# RUN: %kiln compile %s 'store(CuDeviceVector{Float32,1}, Int64)' --target ptx -g0 --arch sm_50 | %filecheck %s --check-prefix=MAXWELL
# PASCAL: atom.sys.global.cas.b32
# MAXWELL: atom.global.cas.b32
#
# "BoundsError", and "store|", the frame of the program: the library's getindex is not named.
# RUN: %filecheck %s --check-prefix=NAMED < %t.1
# NAMED: {66, 111, 117, 110, 100, 115, 69, 114, 114, 111, 114}
# NAMED: {115, 116, 111, 114, 101, 124,
# NAMED-NOT: .b8 kiln_text
# NAMED-NOT: call
# NAMED: atom.acq_rel.sys.global.cas.b32
# NAMED: exit;
# RUN: %filecheck %s --check-prefix=FRAMES < %t.2
# FRAMES: .b8 kiln_text_{{[0-9]+}}[12]
# FRAMES: .b8 kiln_text_
# FRAMES: atom.acq_rel.sys.global.cas.b32
#
# RUN: cat %t.0 %t.1 %t.2 | %filecheck %s --check-prefix=NOTRAP
# NOTRAP-NOT: trap
#
# Nothing of it is left where nothing can throw.
# RUN: %kiln compile %s 'checked(CuDeviceVector{Float32,1}, Int64)' --target ptx | %filecheck %s --check-prefix=QUIET
# QUIET-NOT: exit;
# QUIET-NOT: atom
# QUIET: st.global
# QUIET-NOT: exit;
# QUIET-NOT: atom

using CUDA

function store(y, i)
    y[i] = 1f0
    return
end

function checked(y, i)
    if 1 <= i <= length(y)
        @inbounds y[i] = 1f0
    end
    return
end
