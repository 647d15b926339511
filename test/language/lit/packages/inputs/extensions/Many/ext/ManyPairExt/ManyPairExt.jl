module ManyPairExt
using Many, Other
import Statistics
Many.has(::Val{:Pair}) = true
answer() = Statistics.mean([40, 44])
end
