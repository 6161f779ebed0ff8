"""A group is as fast as the slowest link it crosses, so the order of the axes decides which of them stays in a node.

The claim: NVLink reaches as far as its domain (8 GPUs of an HGX node, 72 of an NVL72 rack), not as far as the node's
case, and a group of any size that leaves its domain sends over the network.

*Throughout this module:*

    per_node   GPUs in one node; ranks fill nodes in order              GPU   megatron-3d §3.2
    domain     GPUs that one NVLink fabric joins                        GPU   megatron-3d §3.2
    nodes      nodes that a group has members in                        –
"""

from collections.abc import Iterable
from dataclasses import dataclass

from labs.refusal import BadValue

LINKS = ("none", "nvlink", "node", "network")


@dataclass(frozen=True)
class Cluster:
    """`domain` is a multiple of `per_node` (a fabric over whole nodes) or a divisor of it (pairs inside a node)."""

    nodes: int
    per_node: int
    domain: int

    @property
    def gpus(self) -> int:
        return self.nodes * self.per_node


def cluster(nodes: int, per_node: int, domain: int = 0) -> Cluster:
    """A cluster; without `domain`, a node is one NVLink domain. BadValue: a domain that cuts a node unevenly."""
    domain = domain or per_node
    if domain % per_node and per_node % domain:
        whole = domain // per_node * per_node
        nearest = tuple(one for one in (whole, whole + per_node) if one)
        raise BadValue("domain", domain, "domain_fits_nodes", nearest, per_node=per_node)
    return Cluster(nodes, per_node, domain)


def nodes_for(gpus: int, per_node: int) -> int:
    """Nodes that hold so many GPUs, the last one perhaps in part."""
    return -(-gpus // per_node)


@dataclass(frozen=True)
class Crossing:
    """The slowest link inside a group, and how widely the group is spread."""

    link: str
    nodes: int
    domains: int


def crossing(group: Iterable[int], where: Cluster) -> Crossing:
    """Which link the members of a group need to reach one another.

    >>> crossing(range(24), cluster(9, 8)).link, crossing(range(24), cluster(9, 8, domain=72)).link
    ('network', 'nvlink')
    """
    members = tuple(group)
    nodes = len({rank // where.per_node for rank in members})
    domains = len({rank // where.domain for rank in members})
    if len(members) == 1:
        return Crossing("none", nodes, domains)
    if domains == 1:
        return Crossing("nvlink", nodes, domains)
    return Crossing("node" if nodes == 1 else "network", nodes, domains)
