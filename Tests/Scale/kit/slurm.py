"""A Slurm cluster of two nodes on loopback, of the programs that Debian has, in a folder of its own."""

import getpass
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

CONFIGURATION = """
ClusterName=loop
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldPort={ports[0]}
SlurmctldLogFile={folder}/slurmctld.log
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmdSpoolDir={folder}/spool-%n
SlurmdLogFile={folder}/slurmd-%n.log
SlurmdTimeout=8
KillWait=3
JobRequeue=1
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=2,batch_sched_delay=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1 RealMemory=1000 State=UNKNOWN
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1 RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "sinfo"]

# Debian puts the daemons where users other than root do not look.
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"


def missing():
    """The names of programs that are not installed."""
    return [name for name in PROGRAMS if not shutil.which(name, path=PATH)]


class Cluster:
    """Starts the daemons as children, and stops them by their ids."""

    def __init__(self):
        # A socket's path is limited to 107 bytes, and munged wants a folder that only its user can write.
        self.folder = Path(tempfile.mkdtemp(prefix="quadrille-slurm-"))
        self.daemons = {}
        ports = [self._free_port() for _ in range(3)]
        self.configuration = self.folder / "slurm.conf"
        self.configuration.write_text(CONFIGURATION.format(
            folder=self.folder, ports=ports, user=getpass.getuser(), host=socket.gethostname()))
        (self.folder / "state").mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        self.environment = {**os.environ, "PATH": PATH, "SLURM_CONF": str(self.configuration)}
        try:
            self._start("munged", "munged", "--foreground", "--force", f"--key-file={key}",
                        f"--socket={self.folder}/munge.sock", f"--pid-file={self.folder}/munged.pid",
                        f"--seed-file={self.folder}/munge.seed", f"--log-file={self.folder}/munged.log")
            self.wait(lambda: (self.folder / "munge.sock").exists(), 20, "munged does not answer")
            self._start("slurmctld", "slurmctld", "-D", "-f", str(self.configuration))
            for node in ("n1", "n2"):
                self.start_node(node)
            self.wait(lambda: self.states() == {"n1": "idle", "n2": "idle"}, 60, "the nodes do not become idle")
        except BaseException:
            self.close()
            raise

    @staticmethod
    def _free_port():
        with socket.socket() as server:
            server.bind(("127.0.0.1", 0))
            return server.getsockname()[1]

    def _start(self, name, *command):
        log = open(self.folder / f"{name}.out", "ab")
        self.daemons[name] = subprocess.Popen(
            command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    def start_node(self, node):
        """Starts the daemon of a node."""
        self._start(node, "slurmd", "-D", "-f", str(self.configuration), "-N", node)

    def wait(self, condition, seconds, complaint):
        """Waits for a condition, for as long as all daemons live."""
        end = time.monotonic() + seconds
        while not condition():
            dead = [name for name, daemon in self.daemons.items() if daemon.poll() is not None]
            if dead or time.monotonic() > end:
                raise RuntimeError(f"{complaint}; ended: {dead}\n{self.logs()}")
            time.sleep(0.2)

    def logs(self):
        """The last lines of all daemons."""
        return "\n".join(
            f"== {path.name}\n" + "\n".join(path.read_text(errors="replace").splitlines()[-15:])
            for path in sorted([*self.folder.glob("*.log"), *self.folder.glob("*.out")]))

    def command(self, *words, **options):
        """Runs a command of Slurm's and returns what it prints."""
        options.setdefault("timeout", 60)
        return subprocess.run(
            words, env=self.environment, capture_output=True, text=True, **options).stdout.strip()

    def states(self):
        """The state of each node."""
        lines = self.command("sinfo", "-h", "-N", "-o", "%N %t").splitlines()
        return {node: state for node, state in (line.split() for line in lines if len(line.split()) == 2)}

    def job(self, number):
        """What the controller says of a job, as (name, value) of its first task."""
        words = self.command("scontrol", "show", "job", str(number)).split()
        return dict(reversed([word.split("=", 1) for word in words if "=" in word]))

    def running(self, number):
        """The tasks of an array that run, as (id of the job, node)."""
        lines = self.command("squeue", "-h", "-r", "-j", str(number), "-t", "R", "-o", "%A %N").splitlines()
        return [tuple(line.split()) for line in lines]

    def kill_node(self, node):
        """Ends a node as a power cut does: its daemon, the keepers of its steps, and their processes.

        Returns the names of those that were killed.
        """
        daemon = self.daemons.pop(node)
        own = {f"SLURM_CONF={self.configuration}".encode(), f"SLURMD_NODENAME={node}".encode()}
        jobs = []
        for process in Path("/proc").iterdir():
            try:
                if process.name.isdigit() and own <= set((process / "environ").read_bytes().split(b"\0")):
                    jobs.append(int(process.name))
            except OSError:
                pass
        # The keeper of a step has not the step's environment, but is the parent of its first process.
        keepers = {parent for parent in map(self._parent, jobs) if self._name(parent) == "slurmstepd"}
        victims = [daemon.pid, *keepers, *jobs]
        names = []
        for pid in victims:
            try:
                names.append(self._name(pid))
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        daemon.wait()
        return names

    @staticmethod
    def _name(pid):
        try:
            return Path(f"/proc/{pid}/comm").read_text().strip()
        except OSError:
            return ""

    @staticmethod
    def _parent(pid):
        try:
            return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            return 0

    def close(self):
        """Ends all jobs and daemons."""
        if "slurmctld" in self.daemons and self.daemons["slurmctld"].poll() is None:
            jobs = self.command("squeue", "-h", "-o", "%A").split()
            if jobs:
                self.command("scancel", *jobs)
                time.sleep(1)
        for name in ("n1", "n2", "slurmctld", "munged"):
            daemon = self.daemons.pop(name, None)
            if daemon is None:
                continue
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
