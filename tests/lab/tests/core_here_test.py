"""What is missing is named together with what still works; and without root it works as far as it can."""

import os
import subprocess
import sys
import unittest

from core_support import LAB, lab, need, need_root
from laboratory import preconditions
from laboratory.plan import Options

NOBODY = 65534
# In a mount namespace of our own: a /dev of a few devices, or devices that all may open; then `$0 "$@"`.
BARE_DEV = """mount -t tmpfs none /mnt && mkdir /mnt/shm && for d in null zero urandom %s; do
  mkdir -p "$(dirname /mnt/$d)" && touch /mnt/$d && mount --bind /dev/$d /mnt/$d
  done && mount --move /mnt /dev && exec "$0" "$@" """
OPEN_DEV = """mount -t tmpfs none /mnt && mknod -m 666 /mnt/tun c 10 200 && mknod -m 666 /mnt/fuse c 10 229 &&
  mount --bind /mnt/tun /dev/net/tun && mount --bind /mnt/fuse /dev/fuse && exec setpriv --reuid 65534 --regid 65534 \
  --clear-groups --inh-caps=-all env HOME=/tmp PATH=/usr/bin:/bin "$0" "$@" """


def changed(script: str) -> tuple[str, ...]:
    return ("unshare", "-m", "--propagation", "private", "sh", "-c", script)


class Missing(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        need_root()
        need(Options(nodes=2))

    def fails(self, *arguments: str, prefix: tuple[str, ...] = ()) -> str:
        done = lab("up", *arguments, prefix=prefix)
        self.assertEqual(done.returncode, 6, done.stdout + done.stderr)
        return done.stderr

    def test_no_tun_device(self) -> None:
        text = self.fails("--servers", "0", prefix=changed(BARE_DEV % "fuse"))
        self.assertIn("/dev/net/tun: No such file or directory", text)
        self.assertIn("modprobe tun", text)

    def test_without_fuse_it_works_without_servers(self) -> None:
        text = self.fails(prefix=changed(BARE_DEV % "net/tun loop-control"))
        self.assertIn("/dev/fuse: No such file or directory", text)
        self.assertIn("lab up --servers 0", text)
        prefix = changed(BARE_DEV % "net/tun")
        self.assertEqual(lab("up", "--nodes", "2", "--servers", "0", prefix=prefix).returncode, 0)
        lab("down")

    def test_all_that_is_missing_is_named_at_once(self) -> None:
        text = self.fails(prefix=changed(BARE_DEV % ""))
        for name in ("/dev/net/tun", "/dev/fuse", "/dev/loop-control"):
            self.assertIn(name, text)

    def test_root_without_the_right_to_configure_networks(self) -> None:
        text = self.fails("--servers", "0", prefix=("setpriv", "--bounding-set", "-net_admin"))
        self.assertIn("no CAP_NET_ADMIN", text)

    def test_root_without_the_right_to_make_namespaces(self) -> None:
        text = self.fails("--servers", "0", prefix=("setpriv", "--bounding-set", "-sys_admin"))
        self.assertIn("namespaces cannot be made", text)

    def test_programs_that_are_missing(self) -> None:
        text = self.fails(prefix=("env", "PATH=/nowhere"))  # the tools are found all the same where they usually are
        self.assertIn("not found: nsenter, setpriv, mount (Debian: util-linux)", text)

    def test_programs_that_are_not_built(self) -> None:
        self.assertIn("./dev build", self.fails(prefix=("env", "PLUMBLINE_BUILD=/nowhere")))

    def test_a_kernel_without_time_namespaces_still_runs_with_one_clock(self) -> None:
        found = preconditions._CLOCKS
        self.assertEqual(found.test() == "", os.path.exists("/proc/self/ns/time"))
        self.assertIn("without --clock-offset everything works", found.hint)


class AnOrdinaryUser(unittest.TestCase):
    """The whole life of a laboratory in a user namespace; as root, by becoming nobody."""
    prefix: tuple[str, ...] = ()

    @classmethod
    def setUpClass(cls) -> None:
        need(Options(nodes=2, servers=0))
        if os.geteuid() == 0:
            cls.prefix = changed(OPEN_DEV)
            possible = subprocess.run([*cls.prefix, "true"], capture_output=True, text=True, check=False)
            if possible.returncode != 0:  # the root directory of a chroot may be no mount point
                raise unittest.SkipTest(possible.stderr.strip())
        done = lab("up", "--nodes", "2", "--servers", "0", prefix=cls.prefix)
        if done.returncode == 6 or "Permission denied" in done.stderr:
            raise unittest.SkipTest(done.stderr.strip())
        assert done.returncode == 0, done.stderr
        cls.said = done.stderr

    @classmethod
    def tearDownClass(cls) -> None:
        done = lab("down", prefix=cls.prefix)
        assert done.stdout == "laboratory removed\n", done.stderr

    def test_what_does_not_work_is_said(self) -> None:
        self.assertIn("not root: no storage, no control groups, no real-time priority", self.said)

    def test_nodes_reach_each_other(self) -> None:
        done = lab("run", "--", "python3", "-c", "import socket; socket.create_connection(('n1', 9), timeout=5)",
                   prefix=self.prefix)
        self.assertIn("ConnectionRefusedError", done.stderr)  # an answer of n1

    def test_status_and_signals_pass_through(self) -> None:
        self.assertEqual(lab("run", "--on", "n1", "--", "sh", "-c", "exit 3", prefix=self.prefix).returncode, 3)
        self.assertEqual(lab("run", "--timeout", "1", "--", "sleep", "60", prefix=self.prefix).returncode, 124)

    def test_storage_is_refused_and_what_works_is_said(self) -> None:
        done = lab("up", prefix=self.prefix)
        self.assertEqual(done.returncode, 6)
        self.assertIn("only root may keep a brick", done.stderr)
        self.assertIn("lab up --servers 0", done.stderr)

    def test_the_laboratory_of_root_is_another(self) -> None:
        if os.geteuid() == 0:
            listed = subprocess.run([sys.executable, str(LAB), "status"], capture_output=True, text=True, check=True)
            self.assertEqual(listed.stdout, "no laboratory is up\n")
