"""Real programs under faults: what a comparison with the platform of a healthy cluster says, what one with the platform that was
measured under the fault says, and what a validation with these programs says."""
