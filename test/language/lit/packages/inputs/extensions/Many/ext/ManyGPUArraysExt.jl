module ManyGPUArraysExt
using GPUArrays, Many
Many.has(::Val{:GPUArrays}) = true
end
