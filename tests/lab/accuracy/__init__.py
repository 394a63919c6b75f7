"""How true expected times are: cells that were fixed before measuring, recorded in a healthy laboratory, and replayed."""
