println(occursin(r"*a", "a"))
