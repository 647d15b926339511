module ManyStaticArraysExt
using StaticArrays, Many
Many.has(::Val{:StaticArrays}) = true
end
