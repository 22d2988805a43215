# psql -XAt -c "SELECT row_to_json(u) FROM (SELECT email, encrypted_password, banned_until, deleted_at FROM auth.users) u" | jq -c -f supabase.jq
select(.deleted_at == null and ((.encrypted_password // "") | startswith("$2")))
| {login: .email, hash: .encrypted_password, disabled: (.banned_until != null and .banned_until > (now | todate))}
