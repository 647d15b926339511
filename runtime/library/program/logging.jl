# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/tasks
# @info and similar macros, in the format of Julia's ConsoleLogger.
module Logging
struct LogLevel
    level::Int
end
const Debug = LogLevel(-1000)
const Info = LogLevel(0)
const Warn = LogLevel(1000)
const Error = LogLevel(2000)
isless(a::LogLevel, b::LogLevel) = a.level < b.level
Base.isless(a::LogLevel, b::LogLevel) = a.level < b.level
Base.:<(a::LogLevel, b::LogLevel) = a.level < b.level
const __level_names = Dict(-1000 => "Debug", 0 => "Info", 1000 => "Warn", 2000 => "Error")
Base.show(io::Base.IO, l::LogLevel) = print(io, get(() -> string("LogLevel(", l.level, ")"), __level_names, l.level))
abstract type AbstractLogger end
struct NullLogger <: AbstractLogger end
struct ConsoleLogger <: AbstractLogger
    stream::Any
    min_level::LogLevel
end
ConsoleLogger(stream=Base.stderr) = ConsoleLogger(stream, Info)
ConsoleLogger(level::LogLevel) = ConsoleLogger(Base.stderr, level)
const SimpleLogger = ConsoleLogger
const __current = Ref{Any}(ConsoleLogger())
const __disabled = Ref{Any}(LogLevel(-10_000_000))
const __counts = Dict{Any,Int}()
current_logger() = __current[]
global_logger() = __current[]
global_logger(logger) = (before = __current[]; __current[] = logger; before)
disable_logging(level::LogLevel) = (__disabled[] = level; nothing)
function with_logger(f, logger)
    before = __current[]
    __current[] = logger
    try
        return f()
    finally
        __current[] = before
    end
end
# A program's own logger defines these functions: https://docs.julialang.org/en/v1/stdlib/Logging/#AbstractLogger-interface
function handle_message end
min_enabled_level(logger::ConsoleLogger) = logger.min_level
min_enabled_level(::NullLogger) = LogLevel(10_000_000)
shouldlog(logger, level, m, group, id) = true
catch_exceptions(logger) = true
__is_on(level) = !(level < min_enabled_level(__current[])) && __disabled[] < level
__value_text(io, e::Exception) = showerror(io, e)
__value_text(io, e::Tuple{Exception,Any}) = showerror(io, e[1])
__value_text(io, x) = show(IOContext(io, :limit => true), Base.__plain_text, x)
function __write(level, name, text, m, file, line, pairs)
    logger = __current[]
    if !(logger isa ConsoleLogger)
        (group, id) = (Symbol(first(splitext(basename(file)))), Symbol(m, "_", basename(file), "_", line))
        shouldlog(logger, LogLevel(level), m, group, id) && handle_message(logger, LogLevel(level), text, m, group, id, file, line; pairs...)
        return nothing
    end
    io = logger.stream
    lines = split(chomp(text isa AbstractString ? text : sprint(Base.show, Base.__plain_text, text)), '\n')
    lines = Any[string(l) for l in lines]
    for (key, value) in pairs
        if key === :maxlog
            n = get(__counts, (file, line), 0)
            n >= value && return nothing
            __counts[(file, line)] = n + 1
            continue
        end
        parts = split(sprint(__value_text, value), '\n')
        if length(parts) == 1
            push!(lines, string("  ", key, " = ", parts[1]))
        else
            push!(lines, string("  ", key, " ="))
            append!(lines, [string("   ", part) for part in parts])
        end
    end
    level == 0 || push!(lines, string("@ ", m, " ", file, ":", line))
    if length(lines) == 1
        println(io, "[ ", name, ": ", lines[1])
        return nothing
    end
    for (k, l) in enumerate(lines)
        println(io, k == 1 ? string("┌ ", name, ": ") : k == length(lines) ? "└ " : "│ ", l)
    end
    return nothing
end
__pair(x::Expr) = x.head === :(=) || x.head === :kw ? Expr(:tuple, QuoteNode(x.args[1]), esc(x.args[2])) : Expr(:tuple, QuoteNode(Symbol(Base.__expr_text(x))), esc(x))
__pair(x) = Expr(:tuple, QuoteNode(Symbol(string(x))), esc(x))
function __logged(level, name, m, source, text, rest)
    pairs = Expr(:tuple, map(__pair, rest)...)
    :(Base.Logging.__is_on(Base.Logging.LogLevel($level)) ?
      Base.Logging.__write($level, $name, $(esc(text)), $m, $(string(source.file)), $(source.line), $pairs) : nothing)
end
export handle_message, shouldlog, min_enabled_level, catch_exceptions, AbstractLogger, with_logger, global_logger, current_logger, disable_logging, NullLogger, ConsoleLogger, SimpleLogger, LogLevel
end
macro info(text, rest...)
    Logging.__logged(0, "Info", __module__, __source__, text, rest)
end
macro warn(text, rest...)
    Logging.__logged(1000, "Warning", __module__, __source__, text, rest)
end
macro error(text, rest...)
    Logging.__logged(2000, "Error", __module__, __source__, text, rest)
end
macro debug(text, rest...)
    Logging.__logged(-1000, "Debug", __module__, __source__, text, rest)
end
