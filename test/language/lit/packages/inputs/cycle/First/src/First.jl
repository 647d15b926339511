module First
using Second
first_value() = 1
end
