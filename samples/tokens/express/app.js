import express from 'express'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const keys = createRemoteJWKSet(new URL('https://login.example/.well-known/jwks.json'))
const checks = { algorithms: ['ES256'], issuer: 'https://login.example', audience: 'spillway', requiredClaims: ['exp', 'sub'] }

const staff = async (request, response, next) => {
  try {
    const token = (request.get('authorization') ?? '').replace(/^Bearer /, '')
    request.token = (await jwtVerify(token, keys, checks)).payload
  } catch {
    return response.sendStatus(401)
  }
  if (!request.token.groups?.includes('staff')) return response.sendStatus(403)
  next()
}

const app = express()
app.get('/whoami', staff, ({ token }, response) => response.json({ sub: token.sub, groups: token.groups }))
app.listen(8000)
