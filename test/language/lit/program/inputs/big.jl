# A number without bounds, which programs do not have.
println(big(2)^100)
