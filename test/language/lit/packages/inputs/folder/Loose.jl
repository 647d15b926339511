module Loose
export loose
loose(x) = x + 100
end
