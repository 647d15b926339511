module A
using Q
value() = which_one()
alone() = 5
end
