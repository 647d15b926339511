# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# --shard auto: the parts of all ranks are disjoint and complete, by the variables of each launcher.
# RUN: rm -rf %t && mkdir %t && cp %S/inputs/manifests/* %t && cd %t
# RUN: %kiln precompile good.json --dry-run | sort > listed
# RUN: env SLURM_PROCID=0 SLURM_NTASKS=3 %kiln precompile good.json --dry-run --shard auto > parts
# RUN: env OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=3 %kiln precompile good.json --dry-run --shard auto >> parts
# RUN: env RANK=2 WORLD_SIZE=3 %kiln precompile good.json --dry-run --shard auto >> parts
# RUN: sort parts | diff - listed
# RUN: env JOB_COMPLETION_INDEX=1 %kiln precompile good.json --dry-run --shard auto/3 > indexed
# RUN: %kiln precompile good.json --dry-run --shard 2/3 | diff - indexed
#
# RUN: %status 2 %kiln precompile good.json --shard auto 2>&1 | %filecheck %s --check-prefix=NONE
# NONE: no launcher gave this process a rank
# NONE: --shard I/N
# RUN: env JOB_COMPLETION_INDEX=1 %status 2 %kiln precompile good.json --shard auto 2>&1 | %filecheck %s --check-prefix=COUNT
# COUNT: JOB_COMPLETION_INDEX=1 has no number of processes
# COUNT: --shard auto/N
# RUN: env RANK=2 WORLD_SIZE=3 SLURM_PROCID=0 SLURM_NTASKS=3 %status 2 %kiln precompile good.json --shard auto 2>&1 | %filecheck %s --check-prefix=BOTH
# BOTH: SLURM_PROCID=0 of SLURM_NTASKS=3 contradicts RANK=2 of WORLD_SIZE=3
# RUN: env RANK=two WORLD_SIZE=3 %status 2 %kiln precompile good.json --shard auto 2>&1 | %filecheck %s --check-prefix=WORD
# WORD: the environment variable RANK holds `two`, and not a number from 0 on
# RUN: env RANK=0 WORLD_SIZE=3 %status 2 %kiln precompile good.json --shard auto/4 2>&1 | %filecheck %s --check-prefix=OTHER
# OTHER: RANK=0 of WORLD_SIZE=3 contradicts the number of shards, 4
# RUN: %status 2 %kiln precompile good.json --shard auto/0 2>&1 | %filecheck %s --check-prefix=ZERO
# ZERO: --shard auto/N takes the number of processes, not `auto/0`
# RUN: %status 2 %kiln precompile good.json --shard auto/
# RUN: %status 2 %kiln precompile good.json --shard automatic
