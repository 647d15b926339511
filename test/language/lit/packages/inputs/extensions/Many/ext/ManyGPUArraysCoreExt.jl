module ManyGPUArraysCoreExt
using GPUArraysCore, Many
Many.has(::Val{:GPUArraysCore}) = true
end
