# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Ways in which packages define things: loops over lists with splats, names computed of characters, `let` around methods, deprecated
# names, calls of C's mathematical libraries.
#
# RUN: %kiln run %s k --arg 'zeros(Float64, 18)' --arg '[2.0, 12.0]' --load-path %S/inputs/folder --device cpu --no-cache --out 1=%t.npy 2> %t.log
# RUN: %npy show %t.npy | %filecheck %s
# CHECK: values 1.0 2.0 3.0 3.0 1.0 2.0 1.0 4.5 10.0 3.0 2.0
# RUN: test ! -s %t.log
# RUN: %kiln compile %s 'k(CuDeviceVector{Float64,1}, CuDeviceVector{Float64,1})' --load-path %S/inputs/folder --no-cache --target ptx -o %t.ptx
#
# A function of a library that Kiln has nothing for:
# RUN: %status 1 %kiln compile %s 'bad(Float64)' --no-kernel --load-path %S/inputs/folder --no-cache -o %t.s 2>&1 | %filecheck %s --check-prefix=BAD
# BAD: ccall of a host function

using Definitions
bad(x) = Definitions.unknown(x)
is_near(x, wanted) = abs(x - wanted) < 1e-13 * abs(wanted) ? 1.0 : x
function k(o, x)
    o[1] = Definitions.rank(Definitions.Near)
    o[2] = Definitions.rank(Definitions.Far{Int})
    o[3] = Definitions.rank(Int)
    o[4] = Definitions.N0f8 + Definitions.N0f16
    o[5] = Definitions.picked(x, (1,))
    o[6] = Definitions.picked(x, (1.0,))
    o[7] = Definitions.picked(x, ())
    o[8] = Definitions.Near() + x[1]
    o[9] = Definitions.doubled(x[1])
    o[10] = Definitions.old_name(x[1])
    o[11] = length(fieldnames(Definitions.OldFar))
    # CHECK-SAME: 1.0 1.0 1.0 1.0 1.0 0.0 -1.0
    o[12] = is_near(Definitions.j0(x[1]), 0.22389077914123567)
    o[13] = is_near(Definitions.jn(3, x[1]), 0.12894324947440205)
    o[14] = is_near(Definitions.erfcx(x[1]), 0.2553956763105058)
    o[15] = is_near(Definitions.erfcx(x[2]), 0.046854221014893235)
    o[16] = isabstracttype(Definitions.Kind) & !isabstracttype(Definitions.Sort) & (supertype(Definitions.Sort{Int}) === Definitions.Kind{Int})
    o[17] = IndexStyle(x, o) === IndexLinear() ? 0.0 : 1.0
    o[18] = sign(Complex(-x[1], 0.0)).re
    return
end
