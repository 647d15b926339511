module ManyRandomExt
using Random, Many
Many.has(::Val{:Random}) = true
end
