module Q
export which_one
which_one() = 2
end
