# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
println(match(r"a(\d+)", "a1"))
