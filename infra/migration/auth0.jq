# jq -c -f auth0.jq export.ndjson
select(.passwordHash) | {login: .email, hash: .passwordHash}
