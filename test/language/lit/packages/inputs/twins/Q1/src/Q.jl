module Q
export which_one
which_one() = 1
end
