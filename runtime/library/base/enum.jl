# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/fastmath
# @enum Name::Type a b=4 c, also with a block of members. An enum becomes a struct of one integer and a constant for
# each member.

abstract type Enum{T<:Integer} end
struct OfMember end                                 # skips the look-up of a member's own value
function instances end
function member_names end                           # in order of definition

macro enum(head, members...)
    name = head isa Symbol ? head : head.args[1]
    T = head isa Symbol ? :Int32 : head.args[2]
    return esc(enum_definitions(name, T, members...))
end
function enum_definitions(name, T, members...)
    if length(members) == 1 && members[1] isa Expr && members[1].head === :block
        return enum_definitions(name, T, without_lines(members[1].args...)...)
    end
    constants = enum_constants(name, T, 0, members...)
    names = map(member_name, members)
    return Expr(:toplevel, :(struct $name <: Base.Enum{$T}
        value::$T
        $name(::Base.OfMember, x) = new(x)
        $name(x::Integer) = Base.member_of($name, x)
    end), constants..., :(Base.instances(::Type{$name}) = ($(names...),)), :(Base.member_names(::Type{$name}) = $names))
end
without_lines() = ()
without_lines(member, rest...) = member isa LineNumberNode ? without_lines(rest...) : (member, without_lines(rest...)...)
member_name(member) = member isa Symbol ? member : member.args[1]
enum_constants(name, T, next) = ()
function enum_constants(name, T, next, member, rest...)
    value = member isa Symbol ? next : member.args[2]
    constant = member_name(member)
    return (:(const $constant = $name(Base.OfMember(), $value)), enum_constants(name, T, :($T($constant) + 1), rest...)...)
end

@inline Integer(x::Enum) = x.value
@inline (::Type{T})(x::Enum) where {T<:Number} = T(x.value)
@inline convert(::Type{T}, x::Enum) where {T<:Number} = convert(T, x.value)
@inline isless(x::T, y::T) where {T<:Enum} = isless(x.value, y.value)
@inline typemin(::Type{T}) where {T<:Enum} = minimum(instances(T))
@inline typemax(::Type{T}) where {T<:Enum} = maximum(instances(T))
@inline function member_of(::Type{T}, x) where {T}
    for member in instances(T)
        if getfield(member, 1) == x
            return member
        end
    end
    throw(ArgumentError("no member of the enumeration has this value"))
end
