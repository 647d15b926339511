# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
x = :(1 + 1)
push!(x.args, x)
eval(x)
