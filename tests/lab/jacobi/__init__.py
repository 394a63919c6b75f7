"""The Jacobi of Grove and Coddington, measured and predicted. `lab jacobi --help`."""
