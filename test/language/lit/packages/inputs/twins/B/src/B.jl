module B
using Q
value() = which_one()
alone() = 5
end
