# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Debug level 2 describes the variables of the source: name, line of the first assignment, type; below it there are none.
#
# At -O0 each lies in memory of its own, on both targets.
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1}, Int64)' --target ptx -g2 -O0 --emit llvm | %filecheck %s --check-prefix=MEMORY
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1}, Int64)' --kernel -g2 -O0 --emit llvm | %filecheck %s --check-prefix=MEMORY
# MEMORY: define {{.*}}kernel
# MEMORY-DAG: ![[D:[0-9]+]] = !DILocalVariable(name: "doubled", scope: {{.*}} line: [[@LINE+37]], type: ![[FLOAT:[0-9]+]])
# MEMORY-DAG: dbg_declare(ptr [[DOUBLED:%[0-9]+]], ![[D]],
# MEMORY-DAG: [[DOUBLED]] = alloca float
# MEMORY-DAG: store float {{.*}}, ptr [[DOUBLED]]
# MEMORY-DAG: ![[S:[0-9]+]] = !DILocalVariable(name: "sum", scope: {{.*}} line: [[@LINE+34]], type: ![[FLOAT]])
# MEMORY-DAG: dbg_declare(ptr [[SUM:%[0-9]+]], ![[S]],
# MEMORY-DAG: [[SUM]] = alloca float
# MEMORY-DAG: store float 0.000000e+00, ptr [[SUM]]
# MEMORY-DAG: !DILocalVariable(name: "n", arg: 2, scope: {{.*}}, type: ![[INT:[0-9]+]])
# MEMORY-DAG: !DILocalVariable(name: "i", scope: {{.*}}, line: [[@LINE+30]], type: ![[INT]])
# MEMORY-DAG: !DILocalVariable(name: "pair", scope: {{.*}} line: [[@LINE+32]], type: ![[PAIR:[0-9]+]])
# MEMORY-DAG: !DILocalVariable(name: "half", scope: {{.*}} line: [[@LINE+23]], type: ![[FLOAT]])
# MEMORY-DAG: ![[FLOAT]] = !DIBasicType(name: "Float32", size: 32, encoding: DW_ATE_float)
# MEMORY-DAG: ![[INT]] = !DIBasicType(name: "Int64", size: 64, encoding: DW_ATE_signed)
# MEMORY-DAG: ![[PAIR]] = {{.*}}!DICompositeType(tag: DW_TAG_structure_type, name: "Tuple{Float32, Int64}"
#
# With optimisation their values are described: where they are assigned, and where ways meet.
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1}, Int64)' --target ptx -g2 --emit llvm | %filecheck %s --check-prefix=VALUES
# VALUES-NOT: dbg_declare
# VALUES: define {{.*}}kernel
# VALUES-DAG: phi float
# VALUES-DAG: ![[D:[0-9]+]] = !DILocalVariable(name: "doubled", {{.*}} line: [[@LINE+16]]
# VALUES-DAG: dbg_value(float {{.*}}, ![[D]], !DIExpression()
# VALUES-DAG: !DILocalVariable(name: "sum", {{.*}} line: [[@LINE+15]]
#
# The temporaries of loops and macros have no name, and are left out.
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1}, Int64)' --target ptx -g2 -O0 --emit llvm | %filecheck %s --check-prefix=TEMPORARIES
# TEMPORARIES-NOT: DILocalVariable(name: ""
# TEMPORARIES-NOT: DILocalVariable(name: "#
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1}, Int64)' --target ptx -g1 -O0 --emit llvm | %filecheck %s --check-prefix=LINES
# LINES-NOT: DILocalVariable

using CUDA

@inline halved(x) = (half = x / 2; half)

function kernel(y, n)
    doubled = y[1] * 2f0
    sum = 0f0
    for i in 1:n
        sum += y[i] + doubled
    end
    pair = (sum, n)
    y[1] = pair[1] + Float32(pair[2]) + halved(doubled)
    return
end
