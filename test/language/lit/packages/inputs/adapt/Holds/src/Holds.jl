# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module Holds
using Adapt
export Field
struct Field{A,N}
    values::A
    name::N
end
Adapt.adapt_structure(to, f::Field) = Field(adapt(to, f.values), nothing)
end
