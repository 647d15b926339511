module Depot
export stored
stored() = 7
end
