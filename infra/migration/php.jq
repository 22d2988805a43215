# mysql --batch --skip-column-names -e 'SELECT email, password FROM users' shop | jq -cR -f php.jq
split("\t") | select(.[1] | startswith("$2")) | {login: .[0], hash: .[1]}
