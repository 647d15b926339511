# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Completion scripts, from the tree of commands and options. test/system/cli/completion runs them in the shells.
# REQUIRES: programs
# RUN: %kiln completion bash | %filecheck %s --check-prefix=BASH
#      BASH: 'kiln')
# BASH-NEXT: words='compile run bench script repl tune advise timings explain cache precompile bundle doctor completion'
#      BASH: 'kiln compile')
# BASH-NEXT: words=''
# BASH-NEXT: options='{{.*}} --target=native|ptx|spirv {{.*}}'
#      BASH: 'kiln completion')
# BASH-NEXT: words='bash zsh fish'
#      BASH: complete -o default -F _kiln kiln
# RUN: %kiln completion zsh | %filecheck %s --check-prefix=ZSH
#      ZSH: #compdef kiln
#      ZSH: 'kiln compile'
#      ZSH: '*--target=[{{.*}}]:value:(native ptx spirv)'
# RUN: %kiln completion fish | %filecheck %s --check-prefix=FISH
# FISH: complete -c kiln -n '__kiln_command kiln' -f -a compile -d 'Compiles one job and prints a product'
# FISH: complete -c kiln -n '__kiln_command kiln compile' -l target -x -a 'native ptx spirv'
# RUN: %status 2 %kiln completion tcsh 2>&1 | %filecheck %s --check-prefix=SHELL
# SHELL: usage error[200]: shell: takes bash, zsh or fish, not `tcsh`
# RUN: %status 2 %kiln completion 2>&1 | %filecheck %s --check-prefix=NONE
# NONE: usage error[200]: shell is required
