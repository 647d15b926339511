module ManyLinearAlgebraExt
using LinearAlgebra, Many
Many.has(::Val{:LinearAlgebra}) = true
end
