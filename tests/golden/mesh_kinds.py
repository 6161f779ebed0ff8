"""Answers to the mesh's golden kinds: rank lists, layouts and products, as the mesh lab asks for them."""

from __future__ import annotations

from typing import Any

from labs.models import mesh, mesh_layers, mesh_layout, mesh_links
from labs.refusal import BadValue

Inputs = dict[str, Any]
DAY = 86_400


def megatron_groups(i: Inputs) -> dict[str, Any]:
    """Both views of one world: dense groups, and expert groups over the same ranks."""
    both = mesh_layout.layout(
        i["world"], tp=i["tp"], pp=i["pp"], cp=i["cp"], ep=i["ep"], etp=i["etp"], order=i["order"]
    )  # fmt: skip
    dense = {f"{axis}_groups": mesh.groups(both.dense, axis) for axis in ("tp", "cp", "dp", "pp")}
    expert = {"ep_groups": mesh.groups(both.expert, "ep"), "edp_groups": mesh.groups(both.expert, "dp")}
    return {"dp": both.dp, "edp": both.edp} | dense | expert


def masked_groups(i: Inputs) -> dict[str, Any]:
    return {f"g{n}": group for n, group in enumerate(mesh.masked_groups(i["sizes"], i["mask"]))}


def hierarchical(i: Inputs) -> dict[str, Any]:
    return {f"l{n}": level for n, level in enumerate(mesh.hierarchical_groups(i["n"], i["sizes"]), start=1)}


def pp_neighbours(i: Inputs) -> dict[str, list[int]]:
    dense = mesh_layout.layout(i["world"], tp=i["tp"], pp=i["pp"]).dense
    pairs = [mesh.neighbours(dense, rank, "pp") for rank in range(dense.world)]
    first = [mesh.group_of(dense, rank, "pp")[0] for rank in range(dense.world)]
    return {"next": [after for _, after in pairs], "prev": [before for before, _ in pairs], "first": first}


def device_mesh(i: Inputs) -> dict[str, Any]:
    whole = mesh.device_mesh(i["shape"], i["dims"])
    return {name: mesh.groups(whole, name) for name in i["dims"]}


def order_groups(i: Inputs) -> dict[str, Any]:
    whole = mesh.in_order("-".join(i["order"]), **dict(zip(i["order"], i["sizes"], strict=True)))
    return {f"{axis}_of_0": mesh.group_of(whole, 0, axis) for axis in i["order"]}


def product(i: Inputs) -> dict[str, int]:
    gpus = mesh.in_order("llama3", tp=i["tp"], cp=i["cp"], pp=i["pp"], dp=i["dp"]).world
    return {"gpus": gpus, "tokens_per_batch": i["seq"] * i["batch_per_dp"] * i["dp"]}


def valid(i: Inputs) -> bool:
    """Megatron's own check: expert-TP is TP unless it is given."""
    try:
        degrees = {name: i[name] for name in ("tp", "cp", "pp", "dp", "ep") if name in i}
        mesh_layout.layout(i["world"], etp=i.get("etp", i["tp"]), **degrees)
    except BadValue:
        return False
    return True


def moe_mesh(i: Inputs) -> dict[str, int]:
    both = mesh_layout.layout(i["world"], tp=i["tp"], pp=i["pp"], ep=i["ep"])
    where = mesh_links.cluster(mesh_links.nodes_for(i["world"], i["per_node"]), i["per_node"])
    spread = mesh_links.crossing(mesh.group_of(both.expert, 0, "ep"), where)
    return {"dense_dp": both.dp, "expert_dp": both.edp, "ep_nodes": spread.nodes, "nodes": where.nodes}


def nar_row(i: Inputs) -> dict[str, float]:
    """Narayanan et al. 2021, Eq. 2 with V = 51,200 and s = 2,048; d = n/(t·p); aggregate = n × one GPU's rate."""
    h, layers, vocabulary, s = i["h"], i["l"], 51_200, 2_048
    params = 12 * layers * h**2 * (1 + 13 / (12 * h) + (vocabulary + s) / (12 * layers * h))
    d = mesh_layout.data_parallel(i["n"], i["t"], 1, i["p"])
    return {"params_B": params / 1e9, "d": d, "aggregate_pflops": i["n"] * i["tflops"] / 1e3}


KINDS = {
    "megatron_groups": megatron_groups,
    "masked_groups": masked_groups,
    "hierarchical": hierarchical,
    "pp_neighbours": pp_neighbours,
    "device_mesh": device_mesh,
    "device_mesh_sub": lambda i: mesh.submesh(mesh.device_mesh(i["shape"], i["dims"]), i["rank"], i["sub"]),
    "order_groups": order_groups,
    "vpp_layers": lambda i: mesh_layers.interleaved(i["layers"], i["p"], i["v"]),
    "vshape_layers": lambda i: mesh_layers.v_shaped(i["layers"], i["p"]),
    "product": product,
    "valid": valid,
    "moe_mesh": moe_mesh,
    "moe_mesh_min": lambda i: {"model_parallel_gpus": mesh_layout.smallest_world(pp=i["pp"], ep=i["ep"])},
    "nodes_for": lambda i: mesh_links.nodes_for(i["gpus"], i["per_node"]),
    "nar_row": nar_row,
    "train_days": lambda i: 8 * i["T"] * i["P"] / (i["n"] * i["X"]) / DAY,  # Narayanan et al. 2021, Eq. 4
    # §3.3.1: p = n/d stages and m = b'/d micro-batches, so the bubble (p − 1)/m is (n − d)/b'.
    "nar_fig6": lambda i: (i["n"] / i["d"] - 1) / (i["bprime"] / i["d"]),
}

UNMOVED = {
    ("pp_neighbours", "tp"): "PP is outermost: its neighbours are world/pp ranks apart, however a stage is cut",
    ("nar_row", "heads"): "Eq. 2 counts parameters by h, l, V and s: heads share h",
    ("nar_row", "B"): "the global batch changes neither parameters nor degrees",
}
