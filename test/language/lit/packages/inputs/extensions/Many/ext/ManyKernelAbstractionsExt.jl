module ManyKernelAbstractionsExt
using KernelAbstractions, Many
Many.has(::Val{:KernelAbstractions}) = true
end
