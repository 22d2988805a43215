import jwt
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPBearer

keys = jwt.PyJWKClient("https://login.example/.well-known/jwks.json")
app = FastAPI()


def staff(bearer=Depends(HTTPBearer())):
    try:
        key = keys.get_signing_key_from_jwt(bearer.credentials)
        token = jwt.decode(bearer.credentials, key, algorithms=["ES256"], issuer="https://login.example",
                           audience="spillway", options={"require": ["exp", "sub"]})
    except jwt.PyJWTError:
        raise HTTPException(401)
    if "staff" not in token.get("groups", []):
        raise HTTPException(403)
    return token


@app.get("/whoami")
def whoami(token=Depends(staff)):
    return {"sub": token["sub"], "groups": token["groups"]}
