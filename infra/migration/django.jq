# manage.py dumpdata auth.user --natural-foreign | jq -c -f django.jq
.[]
| select(.model == "auth.user"
    and (.fields.password | test("^(bcrypt|pbkdf2_sha256|pbkdf2_sha1|argon2|scrypt)[$]")))
| {login: .fields.username, hash: (.fields.password | ltrimstr("bcrypt$")),
   disabled: (.fields.is_active | not), groups: [.fields.groups[][0]]}
