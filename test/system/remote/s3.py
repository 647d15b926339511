# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Buckets of S3: moto's server, and a server that computes each signature itself from the specification of SigV4."""
import hashlib
import hmac
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
import xml.sax.saxutils

from agent_client import ABSENT, FAILED, FOUND, Agent, expect, name_of, skip, wait_until
from servers import Process, Script, http, http_reply
from stores import put_and_get, second_is_read

KEY, SECRET, TOKEN = "AKIATESTTESTTEST", "test/secret+of=forty/characters0123456789", "test//session+token=="
PLAIN = {name: "" for name in ("AWS_ENDPOINT_URL", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "http_proxy", "https_proxy")}


def environment(port, key=KEY, secret=SECRET, token="", region="eu-test-1"):
    return {**PLAIN, "AWS_ENDPOINT_URL_S3": f"http://127.0.0.1:{port}", "AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret, "AWS_SESSION_TOKEN": token, "AWS_REGION": region}


# ---- SigV4


def sign(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def canonical_path(path):
    """Each octet but the unreserved ones as %XX, once."""
    return urllib.parse.quote(urllib.parse.unquote_to_bytes(path), safe="/-._~")


def signature(method, path, headers, signed, region, secret):
    """Of a request without a query. `headers`: names in lower case; `signed`: the names that count."""
    values = [" ".join(headers[name].split()) for name in signed]
    canonical = "\n".join([method, canonical_path(path), "", *(f"{name}:{value}" for name, value in zip(signed, values)), "", ";".join(signed), headers["x-amz-content-sha256"]])
    day, scope = headers["x-amz-date"][:8], f"{headers['x-amz-date'][:8]}/{region}/s3/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + secret).encode()
    for part in (day, region, "s3", "aws4_request"):
        key = sign(key, part)
    return sign(key, text).hex()


def check_reference():
    """The two examples of requests with signed headers in AWS' manual of S3."""
    secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    common = {"host": "examplebucket.s3.amazonaws.com", "x-amz-date": "20130524T000000Z"}
    get = {**common, "range": "bytes=0-9", "x-amz-content-sha256": hashlib.sha256(b"").hexdigest()}
    expect(signature("GET", "/test.txt", get, sorted(get), "us-east-1", secret) == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41", "the reference signs the manual's GET")
    put = {**common, "date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY", "x-amz-content-sha256": hashlib.sha256(b"Welcome to Amazon S3.").hexdigest()}
    expect(signature("PUT", "/test%24file.text", put, sorted(put), "us-east-1", secret) == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd", "and its PUT")


def fault(status, code, more=""):
    body = f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{code}</Code><Message>message of {xml.sax.saxutils.escape(code)}</Message>{more}</Error>'.encode()
    return http(body, status, "Content-Type: application/xml\r\n")


class SigningServer(Script):
    """A bucket. Every request has to be signed, unless it is a GET and `is_public`."""

    def __init__(self, token="", is_public=False, bucket="b", region="eu-test-1", delay=0.0):
        self.delay = delay  # seconds before each reply
        self.objects, self.faults, self.token, self.is_public, self.bucket, self.region = {}, [], token, is_public, bucket, region
        super().__init__(self.talk_s3)

    def talk_s3(self, _, connection):
        file = connection.makefile("rb")
        while line := file.readline():
            method, path, _ = line.decode().split()
            headers = {}
            while header := file.readline().strip().decode():
                name, _, value = header.partition(":")
                headers[name.lower()] = value.strip()
            if headers.get("expect") == "100-continue":
                connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            body = file.read(int(headers.get("content-length", 0)))
            self.requests.append((method, path, headers))
            time.sleep(self.delay)
            wrong = self.wrong(method, path, headers, body)
            if wrong:
                self.faults.append(wrong)
                connection.sendall(fault("403 Forbidden", wrong))
            elif method == "PUT":
                self.objects[path] = body
                connection.sendall(http(b""))
            elif not path.startswith(f"/{self.bucket}/"):
                connection.sendall(fault("404 Not Found", "NoSuchBucket"))
            elif path in self.objects:
                connection.sendall(http(self.objects[path]))
            else:
                connection.sendall(fault("404 Not Found", "NoSuchKey"))

    def wrong(self, method, path, headers, body):
        """The code of what is wrong with the request's signature; None: nothing is."""
        if "authorization" not in headers:
            return None if self.is_public and method == "GET" else "AccessDenied"
        if headers["host"] != f"127.0.0.1:{self.port}" or headers["x-amz-content-sha256"] != hashlib.sha256(body).hexdigest():
            return "XAmzContentSHA256Mismatch"
        if abs(time.time() - time.mktime(time.strptime(headers["x-amz-date"] + "UTC", "%Y%m%dT%H%M%SZ%Z")) + time.timezone) > 900:
            return "RequestTimeTooSkewed"
        algorithm, _, rest = headers["authorization"].partition(" ")
        fields = dict(field.strip().split("=", 1) for field in rest.split(","))
        signed = fields["SignedHeaders"].split(";")
        if algorithm != "AWS4-HMAC-SHA256" or fields["Credential"] != f"{KEY}/{headers['x-amz-date'][:8]}/{self.region}/s3/aws4_request":
            return "InvalidAccessKeyId"
        if signed != sorted(signed) or "host" not in signed or not {name for name in headers if name.startswith("x-amz-")} <= set(signed):
            return "AccessDenied"
        if headers.get("x-amz-security-token", "") != self.token:
            return "InvalidToken"
        return None if hmac.compare_digest(fields["Signature"], signature(method, path, headers, signed, self.region, SECRET)) else "SignatureDoesNotMatch"


def said(agent):
    return agent.log_text() + agent.command("stat").stdout


def test_signed(program):
    check_reference()
    for prefix in ("", "/a/b", "/two%20words/plus+at%40(1)~%C3%BC/%2541/x.y", "/../b//c"):
        with SigningServer() as server, Agent(program, environment=environment(server.port)) as agent:
            session = agent.session(f"s3://b{prefix}/")
            session.put([(name_of("small"), b"small"), (name_of("large"), b"large" * 600_000)])
            expect(session.wait_for_uploads()["uploads"] == 2, f"signed uploads below s3://b{prefix}")
            expect(session.get([name_of("small"), name_of("large"), name_of("none")]) == [(FOUND, b"small"), (FOUND, b"large" * 600_000), (ABSENT, b"")], "and signed gets")
            small = name_of("small").hex()
            keys = {urllib.parse.unquote(path) for path in server.objects}
            expect(f"/b{urllib.parse.unquote(prefix)}/{small[:2]}/{small}" in keys and not server.faults, "keys are those of a folder")
    with SigningServer(token=TOKEN) as server, Agent(program, environment=environment(server.port, token=TOKEN)) as agent:
        session = agent.session("s3://b/t")
        session.put([(name_of("x"), b"with a token")])
        expect(session.wait_for_uploads()["uploads"] == 1 and session.get_one(name_of("x")) == (FOUND, b"with a token"), "a session token is sent and signed")
    with SigningServer() as server:
        for changed, what, help_text in (({"secret": SECRET[:-1] + "x"}, "SignatureDoesNotMatch", "set AWS_SECRET_ACCESS_KEY"), ({"key": "AKIASTRANGERSTRA"}, "InvalidAccessKeyId", "set AWS_ACCESS_KEY_ID"),
                                         ({"region": "us-east-1"}, "InvalidAccessKeyId", "AWS_ACCESS_KEY_ID"), ({"token": TOKEN}, "InvalidToken", "aws configure export-credentials")):  # fmt: skip
            settings = environment(server.port, **changed)
            with Agent(program, environment=settings) as agent:
                session = agent.session("s3://b")
                expect(session.get_one(name_of("x")) == (FAILED, b""), f"{what} is a failure")
                expect(f"status 403 {what}" in said(agent) and help_text in said(agent), "the log says what to do")
                expect(not any(secret in said(agent) for secret in (SECRET[:-1], TOKEN)), "and has no secret")
    with SigningServer(is_public=True) as server, Agent(program, environment={**environment(server.port, key="", secret=""), "KILN_REMOTE_TOKEN": "bearer-token"}) as agent:
        server.objects["/b/" + name_of("x").hex()[:2] + "/" + name_of("x").hex()] = b"no entry"
        session = agent.session("s3://b")
        expect([session.get_one(name_of(each))[0] for each in ("x", "none")] == [3, ABSENT], "without credentials, gets are not signed; what is no entry is refused")
        expect(all("authorization" not in headers for _, _, headers in server.requests), "and carry no token of HTTP")
        session.put([(name_of("y"), b"y")])
        expect(session.wait_for_uploads()["upload_errors"] == 1 and "s3:PutObject" in said(agent), "an upload is denied")


def test_many(program):
    """S3 is slower than a server on the same network: a list of kernels still comes in one go."""
    with SigningServer(delay=0.08) as server, Agent(program, environment=environment(server.port)) as agent:
        names = [name_of(f"many {i}") for i in range(1000)]
        began = time.monotonic()
        expect(agent.session("s3://b").get(names) == [(ABSENT, b"")] * 1000 and not server.faults, "1,000 gets from a server that takes 80 ms")
        print(f"        in {time.monotonic() - began:.2f} s")


def test_faults(program):
    aside = []
    with Script(http_reply(lambda line: aside.append(line) or http(b"x"))) as other:
        location = f"Location: http://127.0.0.1:{other.port}/x\r\n"
        cases = [
            (fault("404 Not Found", "NoSuchBucket"), "make the bucket"),
            (http(b"<html>not here</html>", "404 Not Found"), "status 404"),
            (fault("403 Forbidden", "AccessDenied"), "allow s3:GetObject and s3:ListBucket"),
            (fault("403 Forbidden", "RequestTimeTooSkewed"), "set this machine's clock"),
            (fault("400 Bad Request", "ExpiredToken"), "aws configure export-credentials"),
            (fault("503 Slow Down", "SlowDown"), "status 503 SlowDown"),
            (fault("500 Internal Server Error", "InternalError"), "status 500 InternalError"),
            (fault("301 Moved Permanently", "PermanentRedirect", "<Endpoint>b.s3-us-west-2.amazonaws.com</Endpoint>"), "not in the region eu-test-1, but at b.s3-us-west-2.amazonaws.com; set AWS_REGION"),
            (fault("400 Bad Request", "AuthorizationHeaderMalformed", "<Region>us-west-2</Region>"), "not in the region eu-test-1, but at us-west-2; set AWS_REGION"),
            (http(fault("", "TemporaryRedirect").split(b"\r\n\r\n", 1)[1], "307 Temporary Redirect", location), "status 307 TemporaryRedirect"),
            (http(b""), "an entry without bytes"),
            (http(b"<Error><Code>" + b"\x1b[31m" * 100, "403 Forbidden"), "status 403"),
            (http(b"x" * (65 << 20)), "a reply has more than"),
        ]
        for reply, text in cases:
            with Script(http_reply(lambda line, reply=reply: reply)) as server, Agent(program, environment=environment(server.port)) as agent:
                session = agent.session("s3://bucket/p")
                expect(session.get_one(name_of("x")) == (FAILED, b"") and text in said(agent) and "\x1b" not in said(agent), f"{reply.splitlines()[0].decode()} is a failure: {text}")
        expect(not aside, "no redirection is followed")
    with Script(http_reply(lambda line: fault("503 Slow Down", "SlowDown"))) as server, Agent(program, environment=environment(server.port)) as agent:
        session = agent.session("s3://bucket")
        for each in range(10):
            session.get_one(name_of(f"slow {each}"))
        expect(session.remote()["breaker"] == "open" and session.remote()["skipped"] > 0, "SlowDown opens the breaker")
    # No server is needed: the session is refused, and told why.
    for settings, url, text in [
        ({"AWS_SECRET_ACCESS_KEY": ""}, "s3://b", "AWS_ACCESS_KEY_ID is set, and AWS_SECRET_ACCESS_KEY is not"),
        ({"AWS_ACCESS_KEY_ID": ""}, "s3://b", "AWS_SECRET_ACCESS_KEY is set, and AWS_ACCESS_KEY_ID is not"),
        ({"AWS_SESSION_TOKEN": "two\nlines"}, "s3://b", "a blank or a line break"),
        ({"AWS_REGION": "eu:s3"}, "s3://b", "AWS_REGION is `eu:s3`"),
        ({"AWS_ENDPOINT_URL_S3": "host:9000"}, "s3://b", "the endpoint of S3 is `host:9000`"),
        ({"AWS_ENDPOINT_URL_S3": "http://me:pass-word@host:9000"}, "s3://b", "the endpoint of S3 is `http://***@host:9000`"),
        ({}, f"s3://{KEY}:{SECRET}@b/x", "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"),
        ({}, "s3://b:80/x", "names no bucket"),
        ({}, "s3:///x", "names no bucket"),
    ]:
        with Agent(program, environment={**environment(1), **settings}) as agent:
            refusal = agent.session(url, refused=True).refusal
            expect(text in refusal and SECRET not in refusal, f"refused: {text}")
    # AWS' own hosts, seen by a proxy.
    for bucket, region, host in (("bucket", "eu-central-1", "bucket.s3.eu-central-1.amazonaws.com"), ("with.dots", "", "s3.us-east-1.amazonaws.com"), ("bucket", "cn-north-1", "bucket.s3.cn-north-1.amazonaws.com.cn")):
        with Script(http_reply(lambda line: http(b"", "502 Bad Gateway"))) as proxy:
            with Agent(program, environment={**environment(1, region=region), "AWS_ENDPOINT_URL_S3": "", "https_proxy": f"http://127.0.0.1:{proxy.port}"}) as agent:
                expect(agent.session(f"s3://{bucket}/p").get_one(name_of("x")) == (FAILED, b""), f"no way to AWS here: {bucket}")
                expect(proxy.requests[0][0].startswith(f"CONNECT {host}:443 "), f"the host is {host}")


# ---- moto

# Arguments: port. Makes a bucket, a writer and a reader; prints their keys. The root of moto's world needs none.
SET_UP = """
import boto3, json, sys
clients = {service: boto3.client(service, endpoint_url=f"http://127.0.0.1:{sys.argv[1]}", region_name="us-east-1", aws_access_key_id="a", aws_secret_access_key="b") for service in ("s3", "iam")}
for bucket in ("bucket", "second"):
    clients["s3"].create_bucket(Bucket=bucket)
users = {}
for user, actions in (("writer", ["s3:GetObject", "s3:PutObject", "s3:ListBucket"]), ("reader", ["s3:GetObject", "s3:ListBucket"])):
    clients["iam"].create_user(UserName=user)
    policy = {"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": actions, "Resource": "*"}}
    clients["iam"].put_user_policy(UserName=user, PolicyName="p", PolicyDocument=json.dumps(policy))
    key = clients["iam"].create_access_key(UserName=user)["AccessKey"]
    users[user] = key["AccessKeyId"], key["SecretAccessKey"]
print(json.dumps(users))
"""
# Arguments: port, bucket, prefix, folder. Copies the objects, and prints their number.
COPY = """
import boto3, os, sys
port, bucket, prefix, folder = sys.argv[1:]
client = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{port}", region_name="us-east-1", aws_access_key_id="a", aws_secret_access_key="b")
objects = client.list_objects_v2(Bucket=bucket, Prefix=prefix)["Contents"]
for each in objects:
    path = os.path.join(folder, each["Key"].removeprefix(prefix))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    client.download_file(bucket, each["Key"], path)
print(len(objects))
"""


def python_with_moto():
    venv = os.path.join(os.path.dirname(__file__), "../../../build/python-venv/bin/python")
    for python in (venv, sys.executable):
        if os.path.exists(python) and subprocess.run([python, "-c", "import boto3, flask, moto.server"], capture_output=True, check=False).returncode == 0:
            return python
    return skip("moto is not installed (PyPI: moto[server]; ./x test puts it into build/python-venv)")


class Moto(Process):
    """S3 with users of IAM, whose signatures and rights are checked."""

    def __init__(self):
        super().__init__()
        self.program = python_with_moto()

    def command(self):
        return [self.program, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)]

    def set_up(self, checks=True):
        done = subprocess.run([self.program, "-c", SET_UP, str(self.port)], capture_output=True, text=True, timeout=120, check=True)
        self.users = json.loads(done.stdout)
        self.check_requests(checks)

    def check_requests(self, on):
        """From here on, moto checks each signature and each right."""
        urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{self.port}/moto-api/reset-auth", data=b"0" if on else b"inf", headers={"Content-Type": "text/plain"}, method="POST"), timeout=20).close()

    def environment(self, user, **changed):
        key, secret = self.users[user]
        return environment(self.port, **{"key": key, "secret": secret, "region": "us-east-1", **changed})


def test_moto(program):
    with Moto() as server:
        server.set_up()
        with Agent(program, environment=server.environment("writer")) as agent:
            put_and_get(agent, "s3://bucket/a prefix/x".replace(" ", "%20"), count=50)  # moto takes 10 ms for a request
            second_is_read(agent, "s3://bucket/first", "s3://second")
        with Agent(program, environment=server.environment("reader")) as agent:
            session = agent.session("s3://bucket/a%20prefix/x")
            expect(session.get([name_of("small"), name_of("none")]) == [(FOUND, b"\0bytes\xff"), (ABSENT, b"")], "a reader's gets are allowed")
            session.put([(name_of("y"), b"y")])
            expect(session.wait_for_uploads()["upload_errors"] == 1 and "AccessDenied" in said(agent), "its uploads are not")
        for changed, code in (({"secret": SECRET}, "SignatureDoesNotMatch"), ({"key": KEY}, "InvalidAccessKeyId")):
            with Agent(program, environment=server.environment("writer", **changed)) as agent:
                expect(agent.session("s3://bucket").get_one(name_of("small"))[0] == FAILED and code in said(agent), f"moto says {code}")
        with Agent(program, environment=server.environment("writer")) as agent:
            expect(agent.session("s3://missing/x").get_one(name_of("small"))[0] == FAILED and "NoSuchBucket" in said(agent), "a missing bucket is no miss")
        server.check_requests(False)
        copied_to_folder(program, server)


def copied_to_folder(program, server):
    """A folder with the bucket's objects is a store of file://."""
    with tempfile.TemporaryDirectory() as folder, Agent(program) as agent:
        count = subprocess.run([server.program, "-c", COPY, str(server.port), "bucket", "a prefix/x/", folder], capture_output=True, text=True, timeout=120, check=True).stdout
        expect(int(count) == 54 and agent.session(f"file://{folder}").get_one(name_of("small")) == (FOUND, b"\0bytes\xff"), "a copy of the bucket is a folder's store")


def test_moto_outage(program):
    with Moto() as server, Agent(program, environment=environment(server.port)) as agent:
        server.set_up(checks=False)
        session = agent.session("s3://bucket")
        server.kill()
        wait_until(lambda: session.get_one(name_of("kept"))[0] == FAILED and session.remote()["breaker"] != "closed", "a killed server fails, and the breaker opens")
        server.start()
        server.set_up(checks=False)  # it has forgotten all
        wait_until(lambda: session.get_one(name_of("kept"), 5000) == (ABSENT, b""), "the breaker closes by itself", 60)
        session.put([(name_of("kept"), b"kept")])
        session.wait_for_uploads()
        expect(session.get_one(name_of("kept")) == (FOUND, b"kept"), "a server that is back is used again")


def test_s3(program):
    test_moto(program)
    test_moto_outage(program)


def test_s3_signed(program):
    test_signed(program)
    test_many(program)
    test_faults(program)


GROUPS = {"s3": test_s3, "s3_signed": test_s3_signed}
