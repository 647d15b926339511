# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TLS: nginx with client certificates, and Redis behind stunnel, as docs/guide/fleet.md sets it up. openssl makes the certificates."""
import os
import re
import subprocess
import tempfile

from agent_client import FAILED, FOUND, Agent, expect, name_of
from servers import Nginx, Process, Redis, find, free_port

PAGE = os.path.join(os.path.dirname(__file__), "../../../docs/guide/fleet.md")


class Authority:
    """Signs certificates for names of the loopback."""

    def __init__(self, folder, name="ca"):
        self.folder, self.name = folder, name
        self.openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", self.path(f"{name}.key"), "-out", self.certificate, "-subj", f"/CN=test authority {name}")

    def openssl(self, *words):
        subprocess.run([find("openssl", "openssl"), *words], check=True, capture_output=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    @property
    def certificate(self):
        return self.path(f"{self.name}.pem")

    def make(self, who, names, days=2):
        """Writes WHO.pem and WHO.key. The paths of both."""
        pem, key, request, extension = (self.path(f"{who}.{kind}") for kind in ("pem", "key", "csr", "ext"))
        with open(extension, "w", encoding="utf-8") as file:
            file.write(f"subjectAltName={names}")
        self.openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", request, "-subj", f"/CN={who}")
        self.openssl("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.path(f"{self.name}.key"), "-CAcreateserial", "-days", str(days), "-extfile", extension, "-out", pem)
        os.chmod(key, 0o644)  # the server may be another user
        return pem, key


def certificates(folder):
    """Those of a good server, of bad ones, and of a client: {name: (certificate, key)}."""
    os.chmod(folder, 0o755)
    authority, stranger = Authority(folder), Authority(folder, "stranger")
    here = "DNS:localhost,IP:127.0.0.1"
    return authority, {
        "good": authority.make("good", here),
        "an expired certificate": authority.make("expired", here, days=-1),
        "a wrong host name": authority.make("elsewhere", "DNS:elsewhere.example"),
        "an unknown authority": stranger.make("unknown", here),
        "client": authority.make("client", "DNS:client"),
        "stranger": stranger.make("stranger-client", "DNS:client"),
    }


def test_https(program):
    with tempfile.TemporaryDirectory() as folder:
        authority, made = certificates(folder)

        def client(who):
            return {"KILN_REMOTE_CA": authority.certificate, **({"KILN_REMOTE_CERT": made[who][0], "KILN_REMOTE_KEY": made[who][1]} if who else {})}

        def check(server, environment, works, what, said=""):
            with Nginx(f"ssl_certificate {made[server][0]}; ssl_certificate_key {made[server][1]}; ssl_client_certificate {authority.certificate}; ssl_verify_client on;",
                       f"; listen 127.0.0.1:{(port := free_port())} ssl") as nginx:  # fmt: skip
                with Agent(program, environment=environment) as agent:
                    session = agent.session(f"https://localhost:{port}/c")
                    session.put([(name_of("x"), b"secret")])
                    counters = session.wait_for_uploads()
                    expect(counters["uploads"] == int(works) and counters["upload_errors"] == int(not works), f"https: {what}")
                    expect(session.get_one(name_of("x"))[0] == (FOUND if works else FAILED) and said in agent.log_text(), "and so for reading")
                expect(nginx.process.poll() is None, "the server runs on")

        check("good", client("client"), True, "a client certificate opens")
        check("good", client(None), False, "none does not", "status 400")
        check("good", client("stranger"), False, "one of another authority does not", "status 400")
        check("good", {**client("client"), "KILN_REMOTE_CA": ""}, False, "an authority that nobody named is refused", "certificate")
        for bad in ("an expired certificate", "a wrong host name", "an unknown authority"):
            check(bad, client("client"), False, f"{bad} is refused", "SSL: no alternative certificate subject name" if "host" in bad else "certificate")


class Stunnel(Process):
    """The configuration of the guide, with this machine's port, server and files in place of the guide's."""

    def __init__(self, server_port, host, authority, client):
        super().__init__()
        self.program = find("stunnel4", "stunnel4")
        with open(PAGE, encoding="utf-8") as file:
            page = file.read()
        text = re.search(r"^    (\[kiln-redis\]\n(?:    .*\n)+)", page, re.M).group(1)
        lines = [line.strip() for line in text.splitlines()]
        values = {"accept": f"127.0.0.1:{self.port}", "connect": f"127.0.0.1:{server_port}", "CAfile": authority, "checkHost": host, "cert": client and client[0], "key": client and client[1]}
        for name, value in values.items():
            (at,) = [i for i, line in enumerate(lines) if line.startswith(f"{name} = ")]
            lines[at] = f"{name} = {value}" if value else ""
        self.lines = lines

    def command(self):
        path = os.path.join(self.folder, "kiln.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(["foreground = yes", "pid =", *self.lines, ""]))
        return [self.program, path]


def test_rediss(program):
    with tempfile.TemporaryDirectory() as folder:
        authority, made = certificates(folder)

        def check(server, client, works, what):
            port = free_port()
            with Redis("--tls-port", str(port), "--tls-cert-file", made[server][0], "--tls-key-file", made[server][1], "--tls-ca-cert-file", authority.certificate, "--requirepass", "pass-word"):
                with Stunnel(port, "localhost", authority.certificate, client and made[client]) as tunnel, Agent(program) as agent:
                    session = agent.session(f"redis://:pass-word@localhost:{tunnel.port}/1")
                    session.put([(name_of("x"), b"through a tunnel" * 10_000)])
                    counters = session.wait_for_uploads()
                    expect(counters["uploads"] == int(works) and counters["upload_errors"] == int(not works), f"Redis through stunnel: {what}")
                    expect(session.get_one(name_of("x")) == ((FOUND, b"through a tunnel" * 10_000) if works else (FAILED, b"")), "and so for reading")
                    expect(tunnel.process.poll() is None and "pass-word" not in agent.log_text(), "the tunnel runs on, and no password is logged")

        check("good", "client", True, "the guide's configuration opens")
        check("good", None, False, "a missing client certificate does not")
        for bad in ("an expired certificate", "a wrong host name", "an unknown authority"):
            check(bad, "client", False, f"{bad} is refused")
    with Agent(program) as agent:
        refusal = agent.session("rediss://:pass-word@cache.example", refused=True).refusal
        expect("stunnel" in refusal and "redis://localhost:PORT" in refusal and "pass-word" not in refusal, f"rediss:// is refused: {refusal}")


def test_tls(program):
    test_https(program)
    test_rediss(program)


GROUPS = {"tls": test_tls}
