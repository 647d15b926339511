module ManyOtherExt
using Other, Many
Many.has(::Val{:Other}) = true
end
