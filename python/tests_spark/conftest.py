# SPDX-License-Identifier: Apache-2.0
"""A Spark of two threads for most tests, and a cluster of one master and two workers on the
loopback interface.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

# Small tables: compiling well takes longer than it saves. With the quick compiler alone there is
# room for 48 MB of code by default, which the suite can fill; the session then ends.
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=200m"

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "4",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
    "spark.driver.memory": "1g",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.driver.extraJavaOptions": JAVA_OPTIONS,
    "spark.executor.extraJavaOptions": JAVA_OPTIONS,
}


def _session(master, **more):
    if shutil.which("java") is None:
        pytest.skip("no Java is installed (Debian: openjdk-17-jre-headless)")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master).appName("shoal tests")
    for name, value in {**SETTINGS, **more}.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    return made


@pytest.fixture(scope="module")
def spark():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    made = _session("local[2]")
    yield made
    made.stop()


@pytest.fixture(scope="session")
def command():
    def run(*words):
        done = subprocess.run(
            [os.environ["SHOAL_COMMAND"], *map(str, words)], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def _free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Cluster:
    """A standalone master and two workers, each a process of ours."""

    def __init__(self, folder):
        import pyspark

        self.home = os.path.dirname(pyspark.__file__)
        self.folder = folder
        port, self.web_port = _free_port(), _free_port()
        self.master = f"spark://127.0.0.1:{port}"
        self.processes = [
            self._start(
                "master",
                "org.apache.spark.deploy.master.Master",
                "--host",
                "127.0.0.1",
                "--port",
                port,
                "--webui-port",
                self.web_port,
            )
        ]
        self.workers = [
            self._start(
                f"worker{i}",
                "org.apache.spark.deploy.worker.Worker",
                "--host",
                "127.0.0.1",
                "--cores",
                1,
                "--memory",
                "600m",
                "--webui-port",
                _free_port(),
                self.master,
            )
            for i in range(2)
        ]
        self.processes += self.workers

    def _start(self, name, program, *words):
        folder = self.folder / name
        folder.mkdir()
        environment = {
            **os.environ,
            "SPARK_HOME": self.home,
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_WORKER_DIR": str(folder),
            "SPARK_LOCAL_DIRS": str(folder),
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": JAVA_OPTIONS,
        }
        log = open(folder / "log", "wb")
        return subprocess.Popen(
            [f"{self.home}/bin/spark-class", program, *map(str, words)],
            stdout=log,
            stderr=log,
            env=environment,
            cwd=folder,
        )

    def wait(self, seconds=300):
        """Until both workers are alive."""
        import json

        for _ in range(seconds * 2):
            try:
                with urllib.request.urlopen(
                    f"http://127.0.0.1:{self.web_port}/json/", timeout=5
                ) as page:
                    if json.load(page)["aliveworkers"] == 2:
                        return
            except (OSError, ValueError):
                pass
            time.sleep(0.5)
        raise AssertionError("the workers did not come up")

    def executors(self):
        """Process numbers of the executors: the children of the workers."""
        found = []
        for worker in self.workers:
            with open(f"/proc/{worker.pid}/task/{worker.pid}/children") as file:
                found += [int(number) for number in file.read().split()]
        if found:
            return found
        for worker in self.workers:  # spark-class may have put the process below a shell
            for task in os.listdir(f"/proc/{worker.pid}/task"):
                with open(f"/proc/{worker.pid}/task/{task}/children") as file:
                    found += [int(number) for number in file.read().split()]
        return found

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            process.wait(30)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    if shutil.which("java") is None:
        pytest.skip("no Java is installed (Debian: openjdk-17-jre-headless)")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        made.wait()
        made.spark = _session(
            made.master,
            **{
                "spark.executor.memory": "512m",
                "spark.cores.max": "2",
                "spark.executor.cores": "1",
            },
        )
        yield made
        made.spark.stop()
    finally:
        made.stop()
