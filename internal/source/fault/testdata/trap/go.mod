module trap

go 1.23
