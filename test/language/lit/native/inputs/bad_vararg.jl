# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
f(a::Vararg{Int,2}, b::Int) = b
