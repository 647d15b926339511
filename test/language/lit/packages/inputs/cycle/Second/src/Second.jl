module Second
using First
second_value() = 1
end
