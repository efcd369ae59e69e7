"""Each call goes to its own host, over a connection of its thread that is found by the host alone."""

import os

import requests
from requests.adapters import DEFAULT_POOLSIZE

from upstream.deadline import DeadlineAdapter
from upstream.tests.conftest import Service, ok


def call(transport, url, bearer="x"):
    headers = {"Authorization": f"Bearer {bearer}"}
    return transport.send("GET", url, headers=headers, body=None, seconds=2)


def test_calls_to_two_hosts_in_turns_each_reach_their_own(service, transports):
    other = Service()
    try:
        transport = transports(service.url)
        for _ in range(3):
            call(transport, f"{service.url}/v1/x", "ours")
            call(transport, f"{other.url}/v1/x", "theirs")
        sent = [[request.headers["authorization"] for request in host.requests] for host in (service, other)]
        assert sent == [["Bearer ours"] * 3, ["Bearer theirs"] * 3]
        assert (service.connections, other.connections) == (1, 1)
    finally:
        other.close()


def test_an_adapter_knows_no_more_pools_than_its_manager_keeps():
    adapter = DeadlineAdapter(None)
    for number in range(3 * DEFAULT_POOLSIZE):
        request = requests.Request("GET", f"https://host{number}.example/x").prepare()
        adapter.get_connection_with_tls_context(request, True)
        assert len(adapter._pools) <= DEFAULT_POOLSIZE
    adapter.close()
    assert adapter._pools == {}


def test_the_headers_of_one_answer_are_not_those_of_the_next(service, transports):
    answers = [ok(b"{}", b"Retry-After: 7", status=b"429 Too Many"), ok(b"{}", status=b"429 Too Many")]
    service.handle = lambda sock, request: answers.pop(0)
    transport = transports(service.url)
    assert [call(transport, f"{service.url}/x").retry_after for _ in range(2)] == ["7", ""]


def test_an_answer_that_ends_with_its_connection_is_read_whole_and_no_socket_is_left_open(service, transports):
    service.handle = lambda sock, request: sock.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 300_000)
    transport = transports(service.url)
    sockets = len(os.listdir("/proc/self/fd"))
    assert [len(call(transport, f"{service.url}/x").body) for _ in range(3)] == [300_000] * 3
    assert len(os.listdir("/proc/self/fd")) - sockets < 3


def test_a_closed_transport_opens_new_connections(service, transports):
    transport = transports(service.url)
    call(transport, f"{service.url}/v1/x")
    transport.close()
    assert call(transport, f"{service.url}/v1/x").status == 200
    assert service.connections == 2
