"""Hosts out of network namespaces, on one bridge in a namespace of its own: this machine's network is not touched."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from lab.processes import kill
from lab.standalone import Host

_NET = "10.99.0"


def missing() -> str | None:
    """Why there can be no namespaces here; None where there can."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    for tool in ("ip", "nft"):
        if shutil.which(tool) is None:
            return f"network namespaces need `{tool}` (Debian and Ubuntu: apt-get install iproute2 nftables)"
    name = f"pydl4j{os.getpid()}try"
    made = _run("ip", "netns", "add", name, check=False)
    if made.returncode != 0:
        return f"network namespaces cannot be made here: {made.stderr.strip()}"
    _run("ip", "netns", "del", name)
    return None


class NetLab:
    """So many hosts with addresses of their own, that can lose packets, their cable, and all that runs on them."""

    def __init__(self, count: int = 3) -> None:
        tag = f"pydl4j{os.getpid()}"
        self._switch = f"{tag}sw"
        self._names = [f"{tag}h{i}" for i in range(count)]
        self._addresses = [f"{_NET}.{10 + i}" for i in range(count)]
        self.hosts = [
            Host(address, ("ip", "netns", "exec", name))
            for address, name in zip(self._addresses, self._names, strict=True)
        ]

    def up(self) -> "NetLab":
        """Make the namespaces."""
        _run("ip", "netns", "add", self._switch)
        _in(self._switch, "link add br0 type bridge", "link set br0 up", "link set lo up")
        for i, name in enumerate(self._names):
            _run("ip", "netns", "add", name)
            self._resolve(i)
            veth = ["ip", "link", "add", "eth0", "netns", name, "type", "veth"]
            _run(*veth, "peer", "name", f"p{i}", "netns", self._switch)
            _in(name, "link set lo up", f"addr add {self._addresses[i]}/24 dev eth0", "link set eth0 up")
            _in(self._switch, f"link set p{i} master br0", f"link set p{i} up")
        return self

    def _resolve(self, i: int) -> None:
        """Names from a file alone: there is no name server to wait for."""
        etc = Path("/etc/netns", self._names[i])
        etc.mkdir(parents=True)
        hosts = [f"{address} {name}" for address, name in zip(self._addresses, self._names, strict=True)]
        hosts[i] += f" {os.uname().nodename}"
        (etc / "hosts").write_text("\n".join(["127.0.0.1 localhost", *hosts, ""]))
        (etc / "nsswitch.conf").write_text("hosts: files\n")
        (etc / "resolv.conf").write_text("")

    def cable(self, i: int, *, plugged: bool) -> None:
        """Pull a host's cable, or plug it in again."""
        _in(self._switch, f"link set p{i} {'up' if plugged else 'down'}")

    def lose(self, share: float) -> None:
        """Lose this share of the UDP packets that arrive at any host, from now on."""
        rule = f"meta l4proto udp numgen random mod 1000 < {round(share * 1000)} counter drop\n"
        rules = f"table inet loss {{ chain arriving {{ type filter hook input priority 0;\n{rule}}}\n}}"
        for name in self._names:
            _run("ip", "netns", "exec", name, "nft", rules)

    def lost(self) -> int:
        """UDP packets that were lost so far, on all hosts."""
        counters = [
            _run("ip", "netns", "exec", name, "nft", "list", "table", "inet", "loss").stdout for name in self._names
        ]
        return sum(int(text.split("packets ")[1].split()[0]) for text in counters)

    def kill_host(self, i: int) -> None:
        """Kill (-9) all that runs on a host."""
        for pid in self._pids(self._names[i]):
            kill(pid)

    def down(self) -> None:
        """Delete the namespaces; what runs in them still is killed first, as it would run on."""
        for name in [*self._names, self._switch]:
            for pid in self._pids(name):
                kill(pid)
            _run("ip", "netns", "del", name, check=False)  # where `up` came no further
            shutil.rmtree(Path("/etc/netns", name), ignore_errors=True)

    def _pids(self, name: str) -> Sequence[int]:
        return [int(pid) for pid in _run("ip", "netns", "pids", name, check=False).stdout.split()]


def _in(namespace: str, *commands: str) -> None:
    for command in commands:
        _run("ip", "-n", namespace, *command.split())


def _run(*command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    if check and done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done
