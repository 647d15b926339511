# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module Placed
import Base: to_indices, to_index, tail
export rest, Second, Unknown

struct Rest end
const rest = Rest() # as many colons as there are dimensions left

function to_indices(A, inds::NTuple{M,Any}, I::Tuple{Rest,Vararg{Any,N}}) where {M,N}
    colons = ntuple(Returns(Colon()), Val(M - N))
    return to_indices(A, inds, (colons..., tail(I)...))
end

struct Second end
to_index(::Second) = 2
Base.string(::Second) = "the second"

struct Unknown end
end
