# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A package of Adapt's name and functions, in the place of the one that Kiln brings.
module Adapt
export adapt, is_this_one
adapt(to, x) = adapt_structure(to, x)
adapt(to) = Base.Fix1(adapt, to)
adapt_structure(to, x) = adapt_storage(to, x)
adapt_storage(to, x) = x
adapt_structure(to, xs::Tuple) = map(adapt(to), xs)
macro adapt_structure(T)
    quote
        @generated function $Adapt.adapt_structure($(esc(:to)), $(esc(:obj))::$(esc(T)))
            parts = Any[:($$Adapt.adapt_structure(to, obj.$name)) for name in fieldnames($(esc(:obj)))]
            return Expr(:call, $(esc(T)), parts...)
        end
    end
end
is_this_one() = true
end
