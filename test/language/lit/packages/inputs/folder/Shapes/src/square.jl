struct Square
    side::Float32
end
area(s::Square) = s.side^2
