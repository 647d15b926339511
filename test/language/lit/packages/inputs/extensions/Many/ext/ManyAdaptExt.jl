module ManyAdaptExt
using Adapt, Many
Many.has(::Val{:Adapt}) = true
end
