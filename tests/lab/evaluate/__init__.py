"""The blind evaluation: faults at random, and what `plumbline validate` says without being told."""
