# manage.py dumpdata auth.user --natural-foreign | jq -c -f django.jq
.[]
| select(.model == "auth.user" and (.fields.password | startswith("bcrypt$")))
| {login: .fields.username, hash: (.fields.password | ltrimstr("bcrypt$")),
   disabled: (.fields.is_active | not), groups: [.fields.groups[][0]]}
