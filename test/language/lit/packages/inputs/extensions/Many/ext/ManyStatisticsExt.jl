module ManyStatisticsExt
using Statistics, Many
Many.has(::Val{:Statistics}) = true
end
