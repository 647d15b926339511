# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Help, from the table of commands: groups, usage, an example for each command.
# REQUIRES: programs
# RUN: %kiln --help | %filecheck %s --check-prefix=ALL
#      ALL: Kiln compiles kernels for CPUs and NVIDIA GPUs, and runs them.
# ALL-NEXT: Usage: kiln COMMAND [OPTIONS]
# ALL-NEXT: kiln help COMMAND
#      ALL: Compile and run:
# ALL-NEXT: compile Compiles one job and prints a product
# ALL-NEXT: run
# ALL-NEXT: bench
#      ALL: Programs:
# ALL-NEXT: script
# ALL-NEXT: repl
#      ALL: Tune and explain:
# ALL-NEXT: tune
# ALL-NEXT: advise
# ALL-NEXT: timings
# ALL-NEXT: explain
#      ALL: Cache and deployment:
# ALL-NEXT: cache
# ALL-NEXT: precompile
# ALL-NEXT: bundle
#      ALL: Machine:
# ALL-NEXT: doctor
# ALL-NEXT: completion
#  ALL-NOT: worker
#
# RUN: %kiln run --help | %filecheck %s --check-prefix=ONE
#      ONE: Usage: kiln run FILE.jl... f --arg EXPR ... [OPTIONS]
#      ONE: --emit lowered|typed|warntype|llvm|llvm-opt|asm|obj|cubin|sass|resources
#      ONE: --target native|ptx|spirv
#      ONE: --color auto|always|never
#      ONE: Example:
# ONE-NEXT: kiln run saxpy.jl saxpy --arg
#
# RUN: %kiln cache --help | %filecheck %s --check-prefix=CACHE
# CACHE: Look:
# CACHE: ls All entries: job, target, size, last use, build
# CACHE: Remote stores:
# CACHE: agent
# CACHE: Example:
# CACHE-NEXT: kiln cache stat
# RUN: %kiln cache explain --help | %filecheck %s --check-prefix=TWO
#      TWO: Usage: kiln cache explain FILE.jl... 'f(T1, T2)' [OPTIONS]
# TWO-NEXT: kiln cache explain MANIFEST|TRACE [OPTIONS]
#
# RUN: %status 2 %kiln run %s f --color sometimes 2>&1 | %filecheck %s --check-prefix=COLOUR
# COLOUR: usage error[200]: --color: takes auto, always or never, not `sometimes`
