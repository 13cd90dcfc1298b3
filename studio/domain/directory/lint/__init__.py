"""The writing rules of core memory as advice (decision 35): what a linter can see of them without knowing what is meant.

Precision goes before recall: a rule keeps quiet where it is not sure. Rules about wording read English only; code, addresses and
quoted text are no prose. `run` puts the families of rules together.
"""
