# jq -c -f keycloak.jq realm-export.json
def bare: gsub("=+$"; "");
.users[]
| (.credentials // [])[] as $c
| select($c.type == "password")
| ($c.credentialData | fromjson) as $data
| ($c.secretData | fromjson) as $secret
| "\($secret.salt | bare)$\($secret.value | bare)" as $tail
| {bcrypt: $secret.value,
   "pbkdf2": "$pbkdf2-sha1$i=\($data.hashIterations)$\($tail)",
   "pbkdf2-sha256": "$pbkdf2-sha256$i=\($data.hashIterations)$\($tail)",
   "pbkdf2-sha512": "$pbkdf2-sha512$i=\($data.hashIterations)$\($tail)",
   "argon2": ($data.additionalParameters
     | "$argon2\(.type[0]? // "")$v=\(if .version[0]? == "1.3" then 19 else 16 end)$m=\(.memory[0]? // 0),t=\($data.hashIterations),p=\(.parallelism[0]? // 0)$\($tail)")
  }[$data.algorithm] as $hash
| select($hash)
| {login: .username, hash: $hash, disabled: (.enabled | not),
   groups: [(.groups // [])[] | ltrimstr("/")]}
