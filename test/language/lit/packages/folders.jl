# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Packages in a folder of the load path: src/P.jl of P/, or P.jl; modules inside modules, relative imports, @reexport.
#
# RUN: %kiln run %s fills --load-path %S/inputs/folder --arg 'zeros(Float32, 7)' --device cpu --out 1=%t.npy 2>&1 | %empty
# RUN: %npy show %t.npy | %filecheck %s
# CHECK: values 9.0 18.0 45.0 6.0 103.0 9.0 1.0
#
# JULIA_LOAD_PATH does the same, and is not read where the option is given.
# RUN: env JULIA_LOAD_PATH=%S/inputs/folder %kiln compile %s 'Main.loose(Int64)' --no-kernel --emit typed -o %t.typed 2>&1 | %empty
# RUN: env JULIA_LOAD_PATH=%S/inputs/folder %status 1 %kiln compile %s 'fills(CuDeviceVector{Float32,1})' --load-path %S/inputs/local --target ptx -o %t.ptx 2>&1 | %filecheck %s --check-prefix=OTHER
# OTHER: warning: {{.*}}folders.jl:[[@LINE+13]]:7: the package `Shapes` is not known, so what it defines is missing: the package `Shapes` was looked for in {{.*}}inputs/local
#
# A file that is loaded twice is one.
# RUN: %kiln run %s %s fills --load-path %S/inputs/folder --arg 'zeros(Float32, 7)' --device cpu --out 1=%t.npy 2>&1 | %empty
#
# A name that no folder has says where it was looked for, once, and the rest works.
# RUN: %status 0 %kiln compile %s 'unrelated(Int64)' --no-kernel --emit typed --load-path %S/inputs/cycle --load-path %S/inputs/faulty -o %t.typed 2>&1 | %filecheck %s --check-prefix=NONE
# NONE: the package `Shapes` was looked for in {{.*}}inputs/cycle, {{.*}}inputs/faulty
# NONE-NOT: package `Shapes` is not known
#
# RUN: %status 0 %kiln compile %s 'unrelated(Int64)' --no-kernel --emit typed --load-path %S/inputs/nowhere -o %t.typed 2>&1 | %filecheck %s --check-prefix=FOLDER
# FOLDER: the load path names {{.*}}inputs/nowhere, which is no folder

using Shapes
using Loose: loose as far, loose
import Shapes.Inner.Deepest
import Shapes as S

unrelated(x) = x
function fills(o)
    s = Square(3f0)
    o[1] = area(s)
    o[2] = twice(s)
    o[3] = Deepest.quad(s)
    o[4] = tools_sum(1, 2, 3)
    o[5] = far(3)
    o[6] = S.own_area(s)
    o[7] = loose(0) == 100
    return
end
