# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real servers on free ports of the loopback, and one that sends what a test wants."""
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading

from agent_client import skip, wait_until


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def find(program, package):
    path = shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
    return path or skip(f"{program} is not installed (Debian: {package})")


def has_ipv6():
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


def is_open(port):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Process:
    """A server as a child process in a scratch folder."""

    def __init__(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="kiln-server-")
        self.folder = self.scratch.name
        os.chmod(self.folder, 0o755)  # nginx' worker may be another user
        self.port = free_port()

    def start(self):
        with open(os.path.join(self.folder, "output"), "ab") as output:
            self.process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        wait_until(lambda: is_open(self.port) or self.process.poll() is not None, "the server listens")
        if self.process.poll() is not None:
            with open(os.path.join(self.folder, "output"), encoding="utf-8") as output:
                raise SystemExit(f"the server does not start:\n{output.read()}")
        return self

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.signal(signal.SIGCONT)
            self.kill()
        self.scratch.cleanup()


class Nginx(Process):
    """WebDAV below /; `inside` is more of its configuration, inside of server {}."""

    def __init__(self, inside="", listen=""):
        super().__init__()
        self.program = find("nginx", "nginx-light")
        self.root = os.path.join(self.folder, "root")
        os.mkdir(self.root)
        self.inside, self.listen = inside, listen

    def command(self):
        temporary = "".join(f"{kind}_temp_path {self.folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(os.path.join(self.folder, "nginx.conf"), "w", encoding="utf-8") as file:
            file.write(f"""daemon off; master_process off; pid {self.folder}/pid; error_log stderr;
events {{ worker_connections 256; }}
http {{
access_log off; {temporary}
server {{
  listen 127.0.0.1:{self.port} {self.listen}; root {self.root}; client_max_body_size 100m; keepalive_requests 100000;
  location / {{ dav_methods PUT; create_full_put_path on; dav_access user:rw all:r; }}
  {self.inside}
}} }}
""")
        return [self.program, "-p", self.folder, "-e", "stderr", "-c", os.path.join(self.folder, "nginx.conf")]

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"


class Apache(Process):
    """WebDAV below /cache. A collection has to be there before a file is put into it."""

    def __init__(self):
        super().__init__()
        self.program = find("apache2", "apache2-bin")
        for name in ("ac", "cas"):
            os.makedirs(os.path.join(self.folder, "cache", name))
        for each in (self.folder, os.path.join(self.folder, "cache"), *(os.path.join(self.folder, "cache", name) for name in ("ac", "cas"))):
            os.chmod(each, 0o777)  # the worker is another user

    def command(self):
        modules = "".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n" for name in ("mpm_event", "authz_core", "dav", "dav_fs"))
        path = os.path.join(self.folder, "apache.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"""{modules}ServerRoot {self.folder}
ServerName localhost
Listen 127.0.0.1:{self.port}
PidFile {self.folder}/pid
ErrorLog {self.folder}/errors
DefaultRuntimeDir {self.folder}
User nobody
Group nogroup
DavLockDB {self.folder}/locks
DocumentRoot {self.folder}
LimitRequestBody 0
MaxKeepAliveRequests 0
<Directory {self.folder}/cache>
  Dav On
  Require all granted
</Directory>
""")
        return [self.program, "-f", path, "-X"]  # one process: no worker outlives it

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/cache"


class Redis(Process):
    server = ""  # path of another server with Redis' protocol, for all tests; empty: redis-server

    def __init__(self, *options):
        super().__init__()
        self.program = self.server or find("redis-server", "redis-server")
        self.options = options

    def command(self):
        return [self.program, "--port", str(self.port), "--bind", "127.0.0.1", *(["::1"] if has_ipv6() else []), "--dir", self.folder, "--save", "", *self.options]

    @property
    def url(self):
        return f"redis://127.0.0.1:{self.port}"

    def call(self, *words, login=()):
        """What redis-cli prints."""
        done = subprocess.run([find("redis-cli", "redis-tools"), "-p", str(self.port), *login, *words], capture_output=True, text=True, timeout=20, check=False)
        return done.stdout.strip()


class Script:
    """A server that calls `behaviour(connection)` for each connection, each on a thread of its own."""

    def __init__(self, behaviour):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.behaviour = behaviour
        self.requests = []  # first lines, as they came
        self.connections = []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections.append(connection)
            threading.Thread(target=self.talk, args=(connection,), daemon=True).start()

    def talk(self, connection):
        try:
            self.behaviour(self, connection)
        except OSError:
            pass  # the agent has closed the connection
        finally:
            connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        for connection in self.connections:
            connection.close()


def http_reply(make):
    """A behaviour: answers each request by the bytes that make(first line) returns; None: closes."""

    def behaviour(server, connection):
        file = connection.makefile("rb")
        while line := file.readline():
            request = line.decode().strip()
            headers = {}
            while (header := file.readline().strip()):
                key, _, value = header.partition(b":")
                headers[key.lower()] = value.strip()
            file.read(int(headers.get(b"content-length", 0)))
            server.requests.append((request, headers))
            reply = make(request)
            if reply is None:
                return
            connection.sendall(reply)
            if b"Connection: close" in reply:
                return

    return behaviour


def http(body, status="200 OK", headers=""):
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{headers}\r\n".encode() + body
