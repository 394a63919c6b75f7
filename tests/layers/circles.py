"""Circles in a graph of includes, and the table of those that may stay."""
import pathlib


def sets_of(edges):
    """Each largest set of nodes that all reach each other, as a frozenset of two or more (Tarjan 1972, without recursion)."""
    index, low, open_nodes, found = {}, {}, [], []
    for start in sorted(edges):
        if start in index:
            continue
        index[start] = low[start] = len(index)
        open_nodes.append(start)
        path = [(start, iter(sorted(edges[start])))]
        while path:
            node, others = path[-1]
            other = next(others, None)
            if other is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == index[node]:
                    at = open_nodes.index(node)
                    found.append(frozenset(open_nodes[at:]))
                    del open_nodes[at:]
            elif other not in index:
                index[other] = low[other] = len(index)
                open_nodes.append(other)
                path.append((other, iter(sorted(edges.get(other, ())))))
            elif other in open_nodes:
                low[node] = min(low[node], index[other])
    return [nodes for nodes in found if len(nodes) > 1]


def shortest_through(edges, nodes):
    """The shortest circle through the first of a set whose nodes all reach each other, as a list that ends as it begins."""
    start = min(nodes)
    paths = [[start]]
    for path in paths:  # grows while it is read: breadth first
        for other in sorted(edges.get(path[-1], ())):
            if other == start:
                return path + [start]
            if other in nodes and not any(other in known for known in paths):
                paths.append(path + [other])
    return [start]


def stem(file):
    """A header and its source are one: "sim/queue" of sim/queue.hpp and sim/queue.cpp."""
    return pathlib.PurePosixPath(file).with_suffix("").as_posix()


def read_allowed(path):
    """Number of the line of each set that may stay. A line: a folder, the stems in it, and the reason behind '#'."""
    allowed = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        words = line.split("#")[0].split()
        if words:
            allowed[frozenset(words[0] + word for word in words[1:])] = number
    return allowed


def faults_of_files(edges, allowed, table):
    """A line for each circle of files that may not be, and for each line of the table that is not exactly a circle."""
    found = sets_of(edges)
    faults = [f"circle between files ({', '.join(sorted(nodes))}): {' -> '.join(shortest_through(edges, nodes))}; "
              f"move what both sides need into a header of its own" for nodes in sorted(found, key=min) if nodes not in allowed]
    return faults + [f"{table.name}:{number}: {', '.join(sorted(nodes))}: no circle, or one that has grown or lost files"
                     for nodes, number in allowed.items() if nodes not in found]
