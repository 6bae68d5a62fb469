"""What companies reach and what their trains can run.

`reach` says where a company can get to and `paths` what trains find on a board. What a best run is made of is in
`network`: stops, links, kinds of trains and routes, no longer on any board. `optimiser` finds it, as far as `patience`
lasts, with four helpers: `ground` gets a network ready for trains of one sort, `walks` says what an unfinished route
can still earn, `single_train` looks for the routes of one train, and `combining` for routes that go together.
"""
