module ManyAtomixExt
using Atomix, Many
Many.has(::Val{:Atomix}) = true
end
