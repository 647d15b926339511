# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A project and its manifest: packages by path and from a depot, extensions when their triggers are loaded, __init__.
#
# RUN: %kiln run %s fills --project %S/inputs/project --depot %S/inputs/depot --arg 'zeros(Int64, 6)' --threads 1 --device cpu --out 1=%t.npy 2>&1 | %filecheck %s --check-prefix=LOST --implicit-check-not=warning:
# RUN: %npy show %t.npy | %filecheck %s
# LOST: warning: {{.*}} the package `Wide` names an extension `WideLostExt`, and neither ext/WideLostExt.jl nor ext/WideLostExt/WideLostExt.jl is in {{.*}}Wide
# CHECK: values 2 30 5 1002 0 7
# RUN: env JULIA_PROJECT=%S/inputs/project/Project.toml JULIA_DEPOT_PATH=%S/inputs:%S/inputs/depot %kiln run %s fills --arg 'zeros(Int64, 6)' --threads 1 --device cpu --out 1=%t.npy 2>&1 | %filecheck %s --check-prefix=LOST --implicit-check-not=warning:
#
# A depot that has it not: where it was looked for; the rest works.
# RUN: %status 0 %kiln compile %s 'alone(Int64)' --project %S/inputs/project --depot %S/inputs --no-kernel --emit typed -o %t.typed 2>&1 | %filecheck %s --check-prefix=DEPOT
# DEPOT: warning: {{.*}}projects.jl:[[@LINE+11]]:{{[0-9]+}}: the package `Depot` is not known, {{.*}}Manifest.toml has the package `Depot` 0.5.3, and it is not there: looked for it in {{.*}}inputs/packages/Depot/SYuHq
#
# What is wrong with the files of a project is an error of the program.
# RUN: %status 1 %kiln compile %S/inputs/uses_P.jl 'f(Int64)' --project %S/inputs/broken --no-kernel -o %t.s 2>&1 | %filecheck %s --check-prefix=BROKEN
# BROKEN: uses_P.jl:2:7: syntax error[101]: {{.*}}broken/Project.toml:{{[12]}}:{{[0-9]+}}: {{.+}}
# RUN: %status 1 %kiln compile %S/inputs/uses_P.jl 'f(Int64)' --project %S/inputs/disagrees --no-kernel -o %t.s 2>&1 | %filecheck %s --check-prefix=DISAGREES
# DISAGREES: uses_P.jl:2:7: error[100]: the manifest disagrees with its project: {{.*}}Project.toml has `P` as 55555555-{{.*}}, and {{.*}}Manifest.toml has it as 66666666-
# RUN: %status 0 %kiln compile %S/inputs/uses_P.jl 'f(Int64)' --project %S/inputs --no-kernel -o %t.s 2>&1 | %filecheck %s --check-prefix=EMPTY
# EMPTY: the project {{.*}}inputs has no Project.toml

using CUDA
using Deep, Wide, Depot
using KernelAbstractions

alone(x) = x
function fills(o)
    o[1] = depth(1)
    o[2] = width(2)
    o[3] = Deep.on_device(3)
    o[4] = Wide.both(1)
    o[5] = Wide.none(1)
    o[6] = stored()
    return
end
