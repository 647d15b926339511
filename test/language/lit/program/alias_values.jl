# RUN: %kiln script --device cpu %s | %filecheck %s
# A value in a type may be computed beside type variables; a macro's documented constant is defined.
struct Power{N} end
Base.:^(::Power{N}, p::Int) where {N} = Power{N * p}()
const length_ = Power{1}()
struct Amount{T,D,U} end
const Area{T,U} = Union{Amount{T,length_^2,U},Vector{Amount{T,length_^2,U}}}
units(::Amount{T,length_^2,U}) where {T,U} = (T, U)
# CHECK: true false (Int64, :m)
println(Amount{Int,Power{2}(),3} <: Area, " ", Amount{Int,Power{1}(),3} <: Area, " ", units(Amount{Int,Power{2}(),:m}()))
macro dimension(name, power)
    alias = Symbol(name, :Units)
    return esc(quote
        Base.@__doc__ const global $name = $Power{$power}()
        const global ($alias){U} = $Amount{Int,$name,U}
        $name
    end)
end
"A volume"
@dimension Volume 3
# CHECK-NEXT: Power{3}() true
println(Volume, " ", VolumeUnits{:l} === Amount{Int,Power{3}(),:l})
