package main

import (
	"encoding/json"
	"log"
	"net/http"
	"slices"
	"strings"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
)

type claims struct {
	Groups []string `json:"groups"`
	jwt.RegisteredClaims
}

func main() {
	keys, err := keyfunc.NewDefault([]string{"https://login.example/.well-known/jwks.json"})
	if err != nil {
		log.Fatal(err)
	}
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"ES256"}), jwt.WithIssuer("https://login.example"),
		jwt.WithAudience("spillway"), jwt.WithExpirationRequired())
	http.HandleFunc("/whoami", func(w http.ResponseWriter, r *http.Request) {
		var token claims
		text := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		if _, err := parser.ParseWithClaims(text, &token, keys.Keyfunc); err != nil {
			http.Error(w, "unauthorized", http.StatusUnauthorized)
			return
		}
		if !slices.Contains(token.Groups, "staff") {
			http.Error(w, "forbidden", http.StatusForbidden)
			return
		}
		json.NewEncoder(w).Encode(map[string]any{"sub": token.Subject, "groups": token.Groups})
	})
	log.Fatal(http.ListenAndServe(":8000", nil))
}
