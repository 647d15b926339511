# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# NumPy files as arguments: A[i,j] is a[i-1,j-1], and what comes out has the shape that came in.
#
# RUN: %npy write %t.npy '<i4' '(2, 3)' 0 1 2 10 11 12
# RUN: %kiln run %s tens --arg @%t.npy --threads 2,3 --out 1=%t.out.npy
# RUN: %npy show %t.out.npy | %filecheck %s --check-prefix=MATRIX
# MATRIX: dtype <i4 shape (2, 3) values 1100 1201 1302 2110 2211 2312
#
# RUN: %kiln run %s copy --arg 'zeros(Int32, 2, 3)' --arg 'Const(@"'%t.npy'")' --threads 2,3 --out 1=%t.out.npy --out 2=%t.const.npy
# RUN: %npy show %t.out.npy | %filecheck %s --check-prefix=COPIED
# RUN: %npy show %t.const.npy | %filecheck %s --check-prefix=COPIED
# COPIED: dtype <i4 shape (2, 3) values 0 1 2 10 11 12
#
# A file whose name has spaces, alone and inside an expression.
# RUN: cp %t.npy %t' a b.npy'
# RUN: %kiln run %s tens --arg @%t' a b.npy' --threads 2,3 --out 1=%t.out.npy
# RUN: %npy show %t.out.npy | %filecheck %s --check-prefix=MATRIX
# RUN: %kiln run %s copy --arg 'zeros(Int32, 2, 3)' --arg 'Const(@"'%t' a b.npy")' --threads 2,3 --out 1=%t.out.npy
# RUN: %npy show %t.out.npy | %filecheck %s --check-prefix=COPIED
#
# A dtype with padding, as a struct of the program.
# RUN: %npy write %t.s.npy "[('n', '|u1'), ('', '|V3'), ('x', '<f4')]" '(2,)' 1 2.5 2 -4.0
# RUN: %kiln run %s double --arg @%t.s.npy:Item --threads 2 --out 1=%t.out.npy
# RUN: %npy show %t.out.npy | %filecheck %s --check-prefix=STRUCT
# STRUCT: dtype [('n', '|u1'), ('', '|V3'), ('x', '<f4')] shape (2,) values 2 5.0 4 -8.0
#
# RUN: %status 1 %kiln run %s double --arg @%t.s.npy --threads 2 2>&1 | %filecheck %s --check-prefix=UNNAMED
# UNNAMED: its elements are structs: name the struct of the program
# RUN: %status 1 %kiln run %s double --arg @%t.s.npy:Other --threads 2 2>&1 | %filecheck %s --check-prefix=OTHER
# OTHER: field 2 of an element is called x in the file, but y in {{.*}}Other
# RUN: %npy write %t.p.npy "[('n', '|u1'), ('x', '<f4')]" '(2,)' 1 2.5 2 -4.0
# RUN: %status 1 %kiln run %s double --arg @%t.p.npy:Item --threads 2 2>&1 | %filecheck %s --check-prefix=PACKED
# PACKED: an element.x lies at byte 1 in the file, but at 4 in {{.*}}Item: make the dtype with align=True

using CUDA

function tens(a)
    i, j = threadIdx().x, threadIdx().y
    a[i, j] += Int32(1000) * i + Int32(100) * j
    return
end

function copy(b, a)
    i, j = threadIdx().x, threadIdx().y
    b[i, j] = a[i, j]
    return
end

struct Item
    n::UInt8
    x::Float32
end
struct Other
    n::UInt8
    y::Float32
end

function double(a)
    i = threadIdx().x
    item = a[i]
    a[i] = Item(item.n * 0x02, item.x * 2f0)
    return
end
