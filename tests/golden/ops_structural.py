"""ops_structural: golden cases of operations that move, reduce or combine elements."""


def add(cases):
    pass
