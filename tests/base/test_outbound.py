"""Downloads go where they were meant to, and nowhere else."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest

from docstead.base import outbound
from docstead.base.errors import InvalidRequest, Unavailable
from docstead.base.networks import is_public, is_within, parsed_networks
from docstead.base.outbound import OutboundClient, checked_url, resolved

LOCAL = parsed_networks(["127.0.0.0/8"])
PRIVATE_V4 = (
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200",
    "127.0.0.1", "127.255.255.254", "168.63.129.16", "169.254.0.1", "169.254.169.254",
    "169.254.170.2", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.1",
    "192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255",
    "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1",
    "255.255.255.255",
)  # fmt: skip
PRIVATE_V6 = (
    "::", "::1", "fc00::1", "fd00:ec2::254", "fdff::1", "fe80::1", "febf::1", "fec0::1",
    "ff02::1", "ff05::2", "100::1", "2001:db8::1", "2001:2::1", "2001:10::1", "3fff::1",
    "5f00::1", "64:ff9b:1::1",
)  # fmt: skip
PUBLIC = ("1.1.1.1", "8.8.8.8", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001::1")


def carriers(v4: str) -> list[str]:
    """IPv6 addresses that mean an IPv4 address."""
    number = int(IPv4Address(v4))
    high, low = number >> 16, number & 0xFFFF
    return [
        f"::ffff:{v4}",
        f"::{high:x}:{low:x}",
        f"64:ff9b::{high:x}:{low:x}",
        f"2002:{high:x}:{low:x}::1",
        f"2001:0:{high:x}:{low:x}:0:0:0:1",
        f"2001:0:808:808:0:0:{high ^ 0xFFFF:x}:{low ^ 0xFFFF:x}",
        f"2606:4700::5efe:{high:x}:{low:x}",
    ]


FORBIDDEN = [*PRIVATE_V4, *PRIVATE_V6, *(form for v4 in PRIVATE_V4 for form in carriers(v4))]
SPELLINGS = (
    "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "017700000001",
    "0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "localhost", "LOCALHOST", "localhost.",
)  # fmt: skip


def test_there_are_enough_cases() -> None:
    assert len(FORBIDDEN) > 200


@pytest.mark.parametrize("text", FORBIDDEN)
def test_an_ip_address_that_is_not_public(text: str) -> None:
    assert not is_public(ip_address(text))
    out = OutboundClient(resolve=lambda host, port: [text])
    with pytest.raises(InvalidRequest, match="not a public address"), out.get("https://a.example/"):
        pytest.fail("it was asked")


@pytest.mark.parametrize("text", PUBLIC)
def test_an_ip_address_that_is_public(text: str) -> None:
    assert is_public(ip_address(text))


@pytest.mark.parametrize("host", SPELLINGS)
def test_other_spellings_of_this_machine(host: str) -> None:
    with pytest.raises((InvalidRequest, Unavailable)), OutboundClient().get(f"https://{host}/"):
        pytest.fail("it was asked")


@pytest.mark.parametrize(
    "url",
    [
        "", "ftp://a.example/x", "file:///etc/passwd", "gopher://a.example", "//a.example/x",
        "https:///x", "https://", "https://user@a.example/", "https://user:pw@a.example/",
        "https://a.example:99999/", "https://a.example:x/", "https://a.example:0/",
        "https://[::1/", "https://a.example/\r\nX: y", "https://a.example/ x",
        "https://a.example\\@b.example/", "https://bücher.example/", "https://a/" + "x" * 9000,
        "javascript:alert(1)", "HTTPS//a.example",
    ],
)  # fmt: skip
def test_what_is_no_url_to_ask(url: str) -> None:
    with pytest.raises(InvalidRequest):
        checked_url(url)


def test_one_private_ip_address_among_public_ones_is_enough() -> None:
    out = OutboundClient(resolve=lambda host, port: ["1.1.1.1", "10.0.0.1"])
    with pytest.raises(InvalidRequest, match=r"10\.0\.0\.1"), out.get("https://a.example/"):
        pytest.fail("it was asked")


def test_plain_http_is_for_allowed_networks() -> None:
    out = OutboundClient(resolve=lambda host, port: ["1.1.1.1"])
    with pytest.raises(InvalidRequest, match="use https"), out.get("http://a.example/"):
        pytest.fail("it was asked")


def test_networks_are_named_when_they_are_none() -> None:
    with pytest.raises(InvalidRequest, match=r"'10\.0\.0\.0/40' is not a network"):
        parsed_networks(["10.0.0.0/8", "10.0.0.0/40"])
    assert is_within(IPv6Address("::ffff:127.0.0.1"), LOCAL)
    assert not is_within(IPv6Address("::1"), LOCAL)


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    class ResponseHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.server.asked.append((self.path, self.headers["host"]))  # type: ignore[attr-defined]
            self.server.encodings.append(self.headers["accept-encoding"])  # type: ignore[attr-defined]
            code, _, rest = self.path.lstrip("/").partition("/")
            if code == "cut":
                self.send_response(200)
                self.send_header("content-length", "100")
                self.end_headers()
                self.wfile.write(b"short")
                return
            self.send_response(int(code))
            if code.startswith("3"):
                self.send_header("location", rest)
            self.end_headers()
            self.wfile.write(b"body")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            self.send_response(int(self.path.lstrip("/")))
            self.send_header("location", "/200")
            self.end_headers()
            self.wfile.write(self.headers["x-name"].encode() + b" " + body)

        do_PUT = do_POST  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    running = ThreadingHTTPServer(("127.0.0.1", 0), ResponseHandler)
    running.asked, running.encodings = [], []  # type: ignore[attr-defined]
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield running
    running.shutdown()
    thread.join()
    running.server_close()


def server_name(server: ThreadingHTTPServer) -> str:
    return f"127.0.0.1:{server.server_address[1]}"


def url_of(server: ThreadingHTTPServer, path: str, host: str = "127.0.0.1") -> str:
    return f"http://{host}:{server.server_address[1]}/{path}"


def test_an_allowed_network_is_asked_by_the_name_it_was_given(server: ThreadingHTTPServer) -> None:
    out = OutboundClient(LOCAL, resolve=lambda host, port: ["127.0.0.1"])
    with out.get(url_of(server, "200", "store.example")) as answer:
        assert (answer.status, b"".join(answer.blocks)) == (200, b"body")
    assert server.asked == [("/200", f"store.example:{server.server_address[1]}")]  # type: ignore[attr-defined]


def test_a_host_is_resolved_once_for_each_connection(server: ThreadingHTTPServer) -> None:
    """A name that changes its IP address between the look and the call changes nothing."""
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])
    out = OutboundClient(LOCAL, resolve=lambda host, port: next(answers))
    with out.get(url_of(server, "200", "store.example")) as answer:
        assert answer.status == 200
    with pytest.raises(InvalidRequest), out.get(url_of(server, "200", "store.example")):
        pytest.fail("it was asked")


def test_a_redirect_is_followed_and_vetted(server: ThreadingHTTPServer) -> None:
    out = OutboundClient(LOCAL)
    with out.get(url_of(server, "302/" + url_of(server, "200"))) as answer:
        assert b"".join(answer.blocks) == b"body"
    for target in ("http://169.254.169.254/latest", "file:///etc/passwd", "https://[::1]/x"):
        with pytest.raises(InvalidRequest), out.get(url_of(server, f"307/{target}")):
            pytest.fail("it was followed")


def test_redirects_end(server: ThreadingHTTPServer) -> None:
    loop = url_of(server, "302//302")
    with pytest.raises(InvalidRequest, match="redirects"), OutboundClient(LOCAL).get(loop):
        pytest.fail("it arrived")


def test_five_redirects_are_followed_and_six_are_not(server: ThreadingHTTPServer) -> None:
    with OutboundClient(LOCAL).get(url_of(server, "301//302//303//307//308//200")) as answer:
        assert answer.status == 200
    one_more = url_of(server, "301//302//303//307//308//301//200")
    with (
        pytest.raises(InvalidRequest, match="more than 5 redirects"),
        OutboundClient(LOCAL).get(one_more),
    ):
        pytest.fail("it arrived")


def test_a_redirect_to_nowhere_is_the_response(server: ThreadingHTTPServer) -> None:
    with OutboundClient(LOCAL).get(url_of(server, "304/x")) as answer:
        assert answer.status == 304
    assert server.asked == [("/304/x", server_name(server))]  # type: ignore[attr-defined]
    assert server.encodings == ["identity"]  # type: ignore[attr-defined]


def test_requests_with_a_body_follow_no_redirect(server: ThreadingHTTPServer) -> None:
    out, url, headers = OutboundClient(LOCAL), url_of(server, "307"), {"X-Name": "Zoë"}
    with out.post(url, b"words", headers) as answer:
        assert (answer.status, b"".join(answer.blocks)) == (307, "Zoë words".encode())
    with out.send("PUT", url, headers, b"more") as answer:
        assert (answer.status, b"".join(answer.blocks)) == (307, "Zoë more".encode())
    assert server.asked == []  # type: ignore[attr-defined]


def test_a_url_is_checked_without_a_request(server: ThreadingHTTPServer) -> None:
    asked: list[tuple[str, int]] = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append((host, port))
        if host == "gone.example":
            raise socket.gaierror
        return ["1.1.1.1"]

    out = OutboundClient(resolve=resolve)
    out.check("https://a.example/x")
    out.check("https://a.example:8443/x")
    out.check("https://gone.example/")
    with pytest.raises(InvalidRequest, match="use https"):
        out.check("http://a.example/")
    assert asked == [
        ("a.example", 443), ("a.example", 8443), ("gone.example", 443), ("a.example", 80),
    ]  # fmt: skip
    OutboundClient(LOCAL).check(url_of(server, "200"))
    assert server.asked == []  # type: ignore[attr-defined]


def test_ip_addresses_for_programs_that_connect_themselves() -> None:
    out = OutboundClient(resolve=lambda host, port: ["1.1.1.1", "8.8.8.8"])
    assert out.addresses("a.example", 443) == ["1.1.1.1", "8.8.8.8"]
    assert out.addresses("a.example", 80) == ["1.1.1.1", "8.8.8.8"]
    with pytest.raises(Unavailable, match="no such host"):
        OutboundClient().addresses("a." + "x" * 64 + ".example", 443)


@pytest.mark.parametrize(
    ("setting", "private", "plain"),
    [
        ("", "allow its network if", "http reaches allowed networks only"),
        ("OURS", "add its network to OURS if", r"http reaches allowed networks \(OURS\) only"),
    ],
)
def test_refusals_name_the_setting(setting: str, private: str, plain: str) -> None:
    found = iter(["10.0.0.1", "1.1.1.1"])
    out = OutboundClient(resolve=lambda host, port: [next(found)], setting=setting)
    for message in (private, plain):
        with pytest.raises(InvalidRequest, match=message):
            out.check("http://a.example/")


def test_the_longest_url() -> None:
    longest = "https://a.example/".ljust(8192, "x")
    assert checked_url(longest).netloc == "a.example"
    with pytest.raises(InvalidRequest, match="too many"):
        checked_url(f"{longest}x")


def test_the_longest_host() -> None:
    longest = ".".join(["a" * 63] * 3 + ["b" * 61])
    for host in (longest, f"{longest}.", "[2001:db8:0:1:1:1:1:1]"):
        assert checked_url(f"https://{host}/").netloc == host
    for host in (f"{longest}b", "a" * 64, "a" * 3000, ".".join(["a"] * 1500)):
        with pytest.raises(InvalidRequest, match="at most 253 characters, and 63"):
            OutboundClient(resolve=lambda host, port: ["1.1.1.1"]).check(f"https://{host}/")


def test_default_timeouts() -> None:
    assert outbound._TIMEOUTS == {"connect": 10.0, "read": 30.0, "write": 30.0, "pool": 10.0}
    assert OutboundClient()._total_seconds == 300.0


def test_a_response_has_a_total_timeout(server: ThreadingHTTPServer) -> None:
    out = OutboundClient(LOCAL, total_seconds=0.0)
    with pytest.raises(Unavailable), out.post(url_of(server, "200"), b"", {"X-Name": "a"}):
        pytest.fail("it was in time")


def test_what_breaks_off_or_does_not_answer_is_unavailable(server: ThreadingHTTPServer) -> None:
    with (
        pytest.raises(Unavailable),
        OutboundClient(LOCAL).get(url_of(server, "cut")) as answer,
    ):
        list(answer.blocks)
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(Unavailable), OutboundClient(LOCAL).get(f"http://127.0.0.1:{port}/"):
            pytest.fail("it was asked")


def test_an_error_of_the_caller_stays_the_callers(server: ThreadingHTTPServer) -> None:
    with pytest.raises(OSError, match="disk"), OutboundClient(LOCAL).get(url_of(server, "200")):
        raise OSError("disk is full")


def test_the_machines_resolver() -> None:
    assert "127.0.0.1" in resolved("127.0.0.1", 80)
