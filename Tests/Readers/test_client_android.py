"""The Java reader calls what Android 6.0 (API 23) has, and updates by these calls alone where `java.nio.file` is missing."""

import os
import re
import shutil

from kit import cases, clients

STUBS = os.path.join(cases.ROOT, "Tests", "Readers", "kit", "android23.txt")

# Not copied to Android, or loaded only where the system has what they call.
OTHERS = re.compile(r"(JdbcDatabase|Replay|ModernDisk)\b")

# Android's compiler rewrites lambdas, joined texts and records for every version.
REWRITTEN = re.compile(r"java/lang/(invoke|runtime)/|java/lang/Record\b")


def called(folder):
    """The classes, members and fields outside of the reader that its classes name."""
    names = [name for name in sorted(os.listdir(os.path.join(folder, "quadrille"))) if not OTHERS.match(name)]
    told = clients.run("javap", "-v", *(os.path.join(folder, "quadrille", name) for name in names))
    assert told.returncode == 0, told.stderr
    found = re.findall(r"= (?:Class|Methodref|InterfaceMethodref|Fieldref) +\S+ +// +(.*)", told.stdout)
    return {one.replace('"', "") for one in found if not one.startswith(('"[', "quadrille/")) and not REWRITTEN.match(one)}


def test_the_java_reader_calls_what_android_6_has(java):
    folder = java[java.index("-cp") + 1].split(":")[0]
    with open(STUBS, encoding="ascii") as text:
        known = {line.strip() for line in text if not line.startswith("#")}
    names = called(folder)
    assert len(names) > 150 and "java/io/File.renameTo:(Ljava/io/File;)Z" in names
    assert not names - known, "look up their API levels, and add those up to 23 to android23.txt"
    assert not any(name.startswith("java/nio/file") for name in known)


def test_an_update_needs_no_java_nio_file(java, tmp_path, publisher):
    path = clients.compiled(tmp_path / "classes")
    os.remove(tmp_path / "classes" / "quadrille" / "ModernDisk.class")
    old = os.path.join(clients.CLIENTS, "vectors", "archives", "towns-1.mbtiles")
    shutil.copyfile(old, tmp_path / "towns.mbtiles")
    command = ["java", "-cp", path, "quadrille.Replay", "update", tmp_path / "towns.mbtiles", publisher.list]
    for wanted in ("updated", "nothing new"):
        told = clients.run(*command)
        assert told.stdout.strip() == wanted, told.stdout + told.stderr
    with open(old, "rb") as file:
        assert (tmp_path / "towns.mbtiles.previous").read_bytes() == file.read()
    assert os.stat(tmp_path / "towns.mbtiles.previous").st_nlink == 1


def test_the_app_compiles_over_stubs_of_android_and_has_at_most_200_lines(tmp_path):
    sources = [os.path.join(cases.ROOT, "Examples", "android", name) for name in ("MapActivity.java", "AndroidDatabase.java")]
    with open(sources[0], encoding="utf-8") as text:
        assert len(text.readlines()) <= 200
    with open(os.path.join(os.path.dirname(STUBS), "android-stubs.txt"), encoding="utf-8") as text:
        for part in text.read().split("\n== ")[1:]:
            name, body = part.split("\n", 1)
            path = tmp_path / "stubs" / (name.replace(".", "/") + ".java")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"package {name.rpartition('.')[0]};\n\n{body}", encoding="utf-8")
            sources.append(path)
    reader = os.path.join(clients.CLIENTS, "java", "quadrille")
    sources += [os.path.join(reader, name) for name in sorted(os.listdir(reader)) if not name.startswith(("JdbcDatabase", "Replay"))]
    built = clients.run("javac", "-Xlint:all", "-Werror", "-d", tmp_path / "classes", *sources)
    assert built.returncode == 0, built.stdout + built.stderr
