"""The long proofs of `make soak`; `test_soak.py` runs each of them in small."""
