module app

go 1.25.0

require (
	github.com/MicahParks/keyfunc/v3 v3.9.2
	github.com/golang-jwt/jwt/v5 v5.3.1
)

require (
	github.com/MicahParks/jwkset v0.11.4 // indirect
	golang.org/x/time v0.15.0 // indirect
)
