module Other
end
