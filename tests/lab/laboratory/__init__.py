"""The laboratory: a cluster of namespaces on one machine, with a switch and storage that can be broken on purpose."""
