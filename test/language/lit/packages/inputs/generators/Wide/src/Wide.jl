# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module Wide

export total

weight(::Type) = 1

@generated function total(x::NTuple{N,T}) where {N,T}
    println("the generator runs for $N of $T")
    terms = [:(x[$i] * $(weight(T))) for i in 1:N]
    Expr(:call, :+, terms...)
end

end
