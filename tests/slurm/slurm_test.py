#!/usr/bin/env python3
"""Recording under Slurm, on this machine (slurm.py).   slurm_test.py BUILD_DIRECTORY"""

import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

from slurm import CannotRun, Slurm

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(sys.argv.pop()).resolve() if len(sys.argv) > 1 else ROOT / "build/release"
PLUMBLINE = str(BUILD / "bin/plumbline")
ANCESTORS = str(ROOT / "tests/integration/ancestors.sh")
slurm: Slurm


class Recording(unittest.TestCase):
    def setUp(self) -> None:
        self.work = tempfile.TemporaryDirectory(prefix="plumbline-slurm-work-")
        self.addCleanup(self.work.cleanup)

    def run_here(self, *command: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(command, cwd=self.work.name, env=slurm.environment(), text=True, capture_output=True,
                              timeout=60, check=False)

    def succeeds(self, *command: str) -> "subprocess.CompletedProcess[str]":
        done = self.run_here(*command)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def mpis(self) -> list[tuple[str, str, str]]:
        """What srun can start here: name, its --mpi, program."""
        kinds = subprocess.run(["srun", "--mpi=list"], env=slurm.environment(), text=True, capture_output=True,
                               check=False)
        listed = (kinds.stdout + kinds.stderr).split()
        wanted = [("mpich", "pmi2"), ("openmpi", "pmix")]
        return [(mpi, kind, str(BUILD / f"bin/examples/ring-{mpi}")) for mpi, kind in wanted
                if kind in listed and (BUILD / f"bin/examples/ring-{mpi}").exists()]

    def facts_of(self, archive: str) -> str:
        return self.succeeds(PLUMBLINE, "info", archive).stdout

    def test_srun_is_a_launcher(self) -> None:
        for mpi, kind, program in self.mpis():
            with self.subTest(mpi):
                plain = self.succeeds("srun", f"--mpi={kind}", "-n", "3", program, "2")
                done = self.succeeds(PLUMBLINE, "record", "-o", mpi, "--", "srun", f"--mpi={kind}", "-n", "3", program, "2")
                self.assertEqual(done.stdout, plain.stdout)
                self.assertIn("3 ranks", self.facts_of(mpi))
                self.assertEqual([path.name for path in Path(self.work.name).iterdir() if "spools" in path.name], [])

    def test_programs_that_a_file_names_are_recorded_by_keepers_in_it(self) -> None:
        for mpi, kind, program in self.mpis():
            with self.subTest(mpi):
                (Path(self.work.name) / mpi).mkdir()
                keeper = f"{PLUMBLINE} record --rank --gather {mpi} --"
                steps = Path(self.work.name) / f"{mpi}.conf"
                steps.write_text(f"0 {keeper} {program} 2\n1-2 {keeper} {program} 2\n")
                self.succeeds("srun", f"--mpi={kind}", "-n", "3", "--multi-prog", str(steps))
                self.succeeds(PLUMBLINE, "assemble", mpi, "-o", "observed." + mpi)
                self.assertIn("3 ranks", self.facts_of("observed." + mpi))

    def test_a_keeper_between_srun_and_the_program_gathers(self) -> None:
        for mpi, kind, program in self.mpis():
            with self.subTest(mpi):
                (Path(self.work.name) / mpi).mkdir()
                self.succeeds("srun", f"--mpi={kind}", "-n", "3", PLUMBLINE, "record", "--rank", "--gather", mpi, "--",
                              program, "2")
                self.succeeds(PLUMBLINE, "assemble", mpi, "-o", "observed." + mpi)
                self.assertIn("3 ranks", self.facts_of("observed." + mpi))

    def test_a_verb_that_shares_its_work_runs_once(self) -> None:
        for mpi, kind, _ in self.mpis():
            with self.subTest(mpi):
                srun = ["srun", f"--mpi={kind}", "-n", "3", PLUMBLINE]
                self.assertEqual(self.succeeds(*srun, "replay", "--help").stdout.count("Usage: "), 1)
                failed = self.run_here(*srun, "compare", "missing", "other")
                self.assertEqual(failed.returncode, 3, failed.stderr)
                self.assertEqual(failed.stderr.count("plumbline: missing"), 1, failed.stderr)

    def test_the_job_script_of_the_how_to_makes_the_archive_that_one_process_makes(self) -> None:
        page = (ROOT / "docs/how-to/many-processes.md").read_text()
        text = textwrap.dedent(page[page.index("    #!/bin/sh"):].split("\n\n")[0]) + "\n"
        self.assertIn("--mpi=pmix --kill-on-bad-exit=1 plumbline assemble spools -o observed", text)
        directory = Path(self.work.name)
        for mpi, kind, program in self.mpis():
            with self.subTest(mpi):
                (directory / "spools").mkdir()
                self.succeeds("srun", f"--mpi={kind}", "-n", "3", PLUMBLINE, "record", "--rank", "--gather", "spools", "--",
                              program, "2")
                script = directory / "job.sh"
                script.write_text(text.replace("--mpi=pmix", f"--mpi={kind}").replace(" plumbline ", f" {PLUMBLINE} "))
                done = self.run_here("sbatch", "--wait", "-n", "3", "-o", "batch.out", "-e", "batch.err", str(script))
                said = (directory / "batch.err").read_text()
                self.assertEqual(done.returncode, 0, done.stderr + said)
                self.assertEqual(said.count("3 ranks"), 1, "the verb runs once: " + said)
                self.succeeds(PLUMBLINE, "assemble", "spools", "-o", "by-one", "--jobs", "1")
                self.succeeds("diff", "-r", "observed", "by-one")
                for name in ("spools", "observed", "by-one"):
                    shutil.rmtree(directory / name)

    def test_the_ranks_own_directory_works_too(self) -> None:
        for mpi, kind, program in self.mpis():
            with self.subTest(mpi):
                self.succeeds(PLUMBLINE, "record", "-o", mpi, "--spool", "spools." + mpi, "--", "srun",
                              f"--mpi={kind}", "-n", "2", program, "2")
                self.assertIn("2 ranks", self.facts_of(mpi))

    def test_the_programs_status_comes_through(self) -> None:
        for mpi, kind, _ in self.mpis()[:1]:
            plain = self.run_here("srun", f"--mpi={kind}", "-n", "2", "sh", "-c", "exit 7")
            done = self.run_here(PLUMBLINE, "record", "-o", mpi, "--", "srun", f"--mpi={kind}", "-n", "2", "sh", "-c",
                                 "exit 7")
            self.assertEqual((plain.returncode, done.returncode), (7, 7), done.stderr)

    def test_neither_srun_nor_its_daemons_are_traced(self) -> None:
        for mpi, kind, program in self.mpis():
            with self.subTest(mpi):
                done = self.succeeds(PLUMBLINE, "record", "-o", mpi, "--", "srun", f"--mpi={kind}", "-n", "2",
                                     ANCESTORS, program, "2")
                lines = done.stdout.splitlines()
                self.assertEqual([line for line in lines if line.startswith("traced")], ["traced ancestors.sh"] * 2)
                self.assertEqual(lines.count("untouched slurmstepd"), 2, done.stdout)

    def test_a_batch_script_records_its_steps(self) -> None:
        for mpi, kind, program in self.mpis():
            with self.subTest(mpi):
                script = Path(self.work.name) / f"{mpi}.sh"
                script.write_text("#!/bin/sh\n"
                                  f"{PLUMBLINE} record -o step.{mpi} -- srun --mpi={kind} -n 3 {program} 2 || exit 1\n"
                                  f"{PLUMBLINE} record -o launched.{mpi} -- mpirun.{mpi} -n 2 {program} 2\n")
                done = self.run_here("sbatch", "--wait", "-n", "3", "-o", "batch.out", "-e", "batch.err", str(script))
                said = (Path(self.work.name) / "batch.err").read_text() if done.returncode else ""
                self.assertEqual(done.returncode, 0, done.stderr + said)
                self.assertIn("3 ranks", self.facts_of(f"step.{mpi}"))
                self.assertIn("2 ranks", self.facts_of(f"launched.{mpi}"))

    def test_sbatch_itself_is_refused_with_advice(self) -> None:
        done = self.run_here(PLUMBLINE, "record", "-o", "x", "--", "sbatch", "job.sh")
        self.assertEqual(done.returncode, 6)
        self.assertIn("inside the batch script", done.stderr)


def main() -> int:
    global slurm
    try:
        with Slurm() as slurm:
            return 0 if unittest.main(verbosity=2, exit=False).result.wasSuccessful() else 1
    except CannotRun as reason:
        print(f"skipped: {reason}", file=sys.stderr)
        return 77


if __name__ == "__main__":
    sys.exit(main())
