# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# NumPy files that cannot be used: what is wrong with them, at the argument that names them. No size that a header
# claims is believed before the file has the bytes.
#
# RUN: %npy write %t.good.npy '<f4' '(4,)' 1 2 3 4
# RUN: head -c 140 %t.good.npy > %t.cut.npy
# RUN: %status 1 %kiln run %s takes --arg 1 --arg @%t.cut.npy 2>&1 | %filecheck %s --check-prefix=CUT
#      CUT: --arg 2:1:1: error[100]: {{.*}}.cut.npy: its header tells of 16 bytes of elements, but 12 follow
# CUT-NEXT: 1 | @{{.*}}.cut.npy
# CUT-NEXT:   | ^~
# RUN: head -c 40 %t.good.npy > %t.head.npy
# RUN: %status 1 %kiln run %s takes --arg 1 --arg @%t.head.npy 2>&1 | %filecheck %s --check-prefix=HEAD
# HEAD: .head.npy: cut off inside its header: 40 bytes
# RUN: head -c 5 %t.good.npy > %t.magic.npy
# RUN: %status 1 %kiln run %s takes --arg 1 --arg @%t.magic.npy 2>&1 | %filecheck %s --check-prefix=MAGIC
# MAGIC: .magic.npy: no NumPy file: it does not start with the bytes \x93NUMPY
# RUN: head -c 0 %t.good.npy > %t.empty.npy
# RUN: %status 1 %kiln run %s takes --arg 1 --arg @%t.empty.npy 2>&1 | %filecheck %s --check-prefix=EMPTY
# EMPTY: .empty.npy: no NumPy file
#
# A header of 4 GiB in a file of 13 bytes; a shape of more bytes than there are addresses.
# RUN: printf '\223NUMPY\002\000\360\377\377\377{' > %t.huge.npy
# RUN: %status 1 %kiln run %s takes --arg 1 --arg @%t.huge.npy 2>&1 | %filecheck %s --check-prefix=HUGE
# HUGE: .huge.npy: cut off inside its header: 13 bytes
# RUN: %npy header %t.vast.npy "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 99999999999)}"
# RUN: %status 1 %kiln run %s takes --arg 1 --arg @%t.vast.npy 2>&1 | %filecheck %s --check-prefix=VAST
# VAST: .vast.npy: its header tells of more than 2^64 bytes of elements, but 0 follow
# RUN: %npy header %t.keys.npy "{'descr': '<f4', 'shape': (1,)}"
# RUN: %status 1 %kiln run %s takes --arg 1 --arg @%t.keys.npy 2>&1 | %filecheck %s --check-prefix=KEYS
# KEYS: .keys.npy: its header must have the keys 'descr', 'fortran_order' and 'shape', and no others
#
# Types of elements that there are not.
# RUN: %npy header %t.object.npy "{'descr': '|O', 'fortran_order': False, 'shape': (0,)}"
# RUN: %status 1 %kiln run %s takes --arg 1 --arg @%t.object.npy 2>&1 | %filecheck %s --check-prefix=OBJECT
# OBJECT: .object.npy: elements of dtype '|O' are Python objects, which are not supported
# RUN: %npy header %t.big.npy "{'descr': '>f4', 'fortran_order': False, 'shape': (0,)}"
# RUN: %status 1 %kiln run %s takes --arg 1 --arg @%t.big.npy 2>&1 | %filecheck %s --check-prefix=BIG
# BIG: .big.npy: elements of dtype '>f4' are big-endian, which is not supported: save a.astype(a.dtype.newbyteorder('<'))
#
# A dtype that the kernel does not take is a matter of methods.
# RUN: rm -f %t.int.npy
# RUN: %status 1 %kiln run %s floats --arg @%t.int.npy 2>&1 | %filecheck %s --check-prefix=NOFILE
# NOFILE: cannot read {{.*}}.int.npy: No such file or directory
# RUN: %npy write %t.int.npy '<i4' '(2,)' 1 2
# RUN: %status 1 %kiln run %s floats --arg @%t.int.npy 2>&1 | %filecheck %s --check-prefix=DTYPE
# DTYPE: MethodError[102]: no method matching floats(::CuDeviceArray{Int32, 1, 1})
# DTYPE: note: candidate: floats(::CuDeviceArray{Float32

using CUDA

function takes(n, y)
    return
end

function floats(y::CuDeviceVector{Float32})
    return
end
