# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
macro e(); Core.eval(__module__, :(import Printf)); :(1); end
println(@e)
macro d(); Core.eval(__module__, :(struct S; x; end)); Core.eval(__module__, :(h(y) = S(y).x + 1)); :(h(5)); end
println(@d)
f() = @e() + 6
println(f())
