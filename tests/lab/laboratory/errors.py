"""How the laboratory fails: where, what, what to do, and the exit status."""

WRONG_USE = 2
BAD_INPUT = 3
TOO_NOISY = 5
CANNOT_RUN_HERE = 6
OWN_FAULT = 70


class LabError(Exception):
    """Said once, by the first who notices: `where: what`, and below it what to do about it."""

    def __init__(self, where: str, what: str, hint: str = "", status: int = BAD_INPUT) -> None:
        super().__init__(where, what, hint, status)
        self.where = where
        self.what = what
        self.hint = hint
        self.status = status

    def __str__(self) -> str:
        first = f"{self.where}: {self.what}"
        return f"{first}\n  {self.hint}" if self.hint else first


class NoLaboratory(LabError):
    """There is none to run anything in, whatever was to run."""
