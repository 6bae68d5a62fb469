"""What companies can reach, and the router: the best run of several trains (`docs/routes.md`).

`reach` finds what a company is connected to, and `paths` turns a board into a network. `optimiser` finds the best run
on it. `docs/routes.md` explains the method, and lists which module has which part.
"""
