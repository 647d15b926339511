// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "must.h"

#include <agent/url.h>
#include <catch2/catch.hpp>

namespace kiln::agent_test {

using kiln::test::must;

TEST_CASE("URLs of HTTP servers") {
  const RemoteUrl plain = must(read_remote_url("http://cache.example:8080/a/b//"));
  CHECK(plain.scheme == RemoteUrl::Scheme::Http);
  CHECK(plain.address == "http://cache.example:8080/a/b");
  CHECK(plain.shown == plain.address);
  CHECK(plain.user.empty());

  const RemoteUrl user = must(read_remote_url("https://me%40x:p%3Aw%25@[::1]:8443/c"));
  CHECK(user.scheme == RemoteUrl::Scheme::Https);
  CHECK(user.user == "me@x");
  CHECK(user.password == "p:w%");
  CHECK(user.host == "::1");
  CHECK(user.address == "https://[::1]:8443/c");
}

TEST_CASE("URLs of Redis") {
  const RemoteUrl plain = must(read_remote_url("redis://host"));
  CHECK(plain.port == 6379);
  CHECK(plain.path.empty());
  CHECK(plain.shown == "redis://host");

  const RemoteUrl full = must(read_remote_url("redis://:secret@host:7000/5"));
  CHECK(full.port == 7000);
  CHECK(full.path == "5");
  CHECK(full.user.empty());
  CHECK(full.password == "secret");
  CHECK(full.shown == "redis://host:7000/5");
  CHECK(must(read_remote_url("redis://p@ss:w@rd@host")).password == "w@rd"); // to the last @
}

TEST_CASE("URLs of folders") {
  CHECK(must(read_remote_url("file:///a%20b/c/")).path == "/a b/c");
  CHECK(must(read_remote_url("file://localhost/a")).path == "/a");
  CHECK(must(read_remote_url("file:///")).path == "/");
}

TEST_CASE("URLs of buckets") {
  const RemoteUrl plain = must(read_remote_url("s3://bucket"));
  CHECK(plain.scheme == RemoteUrl::Scheme::S3);
  CHECK(plain.host == "bucket");
  CHECK(plain.path.empty());
  CHECK(plain.shown == "s3://bucket");

  const RemoteUrl prefix = must(read_remote_url("s3://a.b-c_D/x/two%20words/%25//"));
  CHECK(prefix.host == "a.b-c_D");
  CHECK(prefix.path == "x/two words/%");
  CHECK(prefix.shown == "s3://a.b-c_D/x/two%20words/%25");
}

TEST_CASE("URLs that are none are wrong usage, and their messages have no credentials") {
  for (const char *bad : {"",
                          "host",
                          "ftp://h",
                          "rediss://u:hidden@h",
                          "http://",
                          "http://u:hidden@",
                          "http://u:hidden@:80/",
                          "http://h:0/",
                          "http://h:65536/",
                          "http://h:x/",
                          "http://[::1/",
                          "http://[::1]x/",
                          "redis://h/-1",
                          "redis://h/65536",
                          "redis://u:hidden@h/a",
                          "http://h/?q=1",
                          "http://h?q",
                          "http://h/#f",
                          "http://h/a\nb",
                          "http://u:%gghidden@h/",
                          "http://u:%00hidden@h/",
                          "http://u:%4@h/",
                          "file://x/y",
                          "file://",
                          "file:///%00",
                          "redis://u:hid/den@h",
                          "s3://",
                          "s3:///x",
                          "s3://bucket:80/x",
                          "s3://KEY:hidden@bucket/x",
                          "s3://KEY:hid/den@bucket/x",
                          "s3://bucket/%zz",
                          "s3://b?x"}) {
    INFO(bad);
    const Result<RemoteUrl> read = read_remote_url(bad);
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().code() == ErrorCode::Usage);
    CHECK(read.error().what().find("hidden") == std::string::npos);
    CHECK(read.error().what().find("hid/den") == std::string::npos);
  }
}

TEST_CASE("secrets are hidden wherever they are") {
  Secrets secrets;
  secrets.add("token-1");
  secrets.add("token-1-longer");
  secrets.add("");
  secrets.add("abc"); // too short to be replaced everywhere
  CHECK(secrets.hide("Bearer token-1-longer, token-1; abc") == "Bearer ***, ***; abc");
  CHECK(secrets.hide("no https://user:pw@host/x and redis://:p@q@h:1, file:///a") ==
        "no https://***@host/x and redis://***@h:1, file:///a");
  CHECK(secrets.hide("://@") == "://***@");
  CHECK(secrets.hide("") == "");
}

} // namespace kiln::agent_test
