# jq -c -f keycloak.jq realm-export.json
.users[]
| (.credentials // [])[] as $c
| select($c.type == "password" and ($c.credentialData | fromjson | .algorithm) == "bcrypt")
| {login: .username, hash: ($c.secretData | fromjson | .value), disabled: (.enabled | not),
   groups: [(.groups // [])[] | ltrimstr("/")]}
