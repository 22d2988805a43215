"""Logs in and administers by the client that openapi-generator made from the OpenAPI document.
Usage: check_client.py URL LOGIN PASSWORD"""

import sys

import spillway_client as spillway

ADA = {"login": "client-ada", "password": "violet-anvil-42"}


def connected(url: str, token: str | None = None) -> spillway.ApiClient:
    return spillway.ApiClient(spillway.Configuration(host=url, access_token=token))


def token(url: str, login: str, password: str) -> str:
    credentials = spillway.Credentials(login=login, password=password)
    return spillway.LoginApi(connected(url)).login(credentials).access_token


def refused(status: int, call, *arguments) -> None:
    try:
        call(*arguments)
    except spillway.ApiException as refusal:
        assert refusal.status == status, refusal
        assert refusal.data.status == status, f"no problem: {refusal.body}"
    else:
        raise AssertionError(f"{call.__name__} is not answered {status}")


def main() -> None:
    url, login, password = sys.argv[1:]
    admin = connected(url, token(url, login, password))
    users = spillway.UsersApi(admin)
    assert "admin" in spillway.LoginApi(admin).me().groups

    creation = spillway.Creation(**ADA, groups=["staff"])
    created = users.users_create_with_http_info(creation)
    assert created.status_code == 201, created
    [ada] = users.users_list(login=ADA["login"]).users
    assert created.headers["Location"] == f"/users/{ada.id}", created.headers
    assert ada.groups == ["staff"], ada
    refused(409, users.users_create, creation)

    own = connected(url, token(url, **ADA))
    assert spillway.LoginApi(own).me().groups == ["staff"]
    refused(403, spillway.UsersApi(own).users_list)
    refused(401, token, url, ADA["login"], "another password")
    users.users_delete(str(ada.id))
    refused(401, token, url, ADA["login"], ADA["password"])
    refused(404, users.users_show, str(ada.id))
    print("check-api: the generated client logs in and administers")


if __name__ == "__main__":
    main()
