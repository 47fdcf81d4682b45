"""The container image: its context in `dist/out/image`, built by podman, buildah or docker, and saved as an archive that all of them load."""

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from datetime import datetime, timezone
from pathlib import Path

from . import notices
from .archives import Entry, squeezed, tar
from .common import DIST, OUT, Failure, epoch, revision, run, version

USER = 65532


def context(binary, libc):
    """The folder that the image is built from."""
    folder = OUT / "image"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "data").mkdir(parents=True)
    (folder / "etc").mkdir()
    (folder / "licenses").mkdir()
    (folder / "etc" / "passwd").write_text(f"fundsim:x:{USER}:{USER}:fundsim:/data:/fundsim\n")
    (folder / "etc" / "group").write_text(f"fundsim:x:{USER}:\n")
    for entry in (*notices.own(), notices.of_others(libc)):
        (folder / "licenses" / entry.name).write_bytes(entry.content)
    shutil.copy(DIST / "image" / "Containerfile", folder / "Containerfile")
    # docker looks for this name.
    shutil.copy(DIST / "image" / "Containerfile", folder / "Dockerfile")
    shutil.copy(binary, folder / "fundsim")
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() or path.name == "fundsim" else 0o644)
        os.utime(path, (epoch(), epoch()))
    return folder


def builder():
    """The program that builds images here, in the order of what can make the same bytes twice."""
    for name in ("podman", "buildah", "docker"):
        if shutil.which(name):
            return name
    raise Failure("no podman, buildah or docker is installed: `dist/install` installs podman on Debian, or leave out `image`")


def pack(binary, libc):
    """Writes `fundsim-VERSION-image.tar`."""
    folder = context(binary, libc)
    tag = f"localhost/fundsim:{version()}"
    created = datetime.fromtimestamp(epoch(), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    arguments = [f"VERSION={version()}", f"REVISION={revision() or 'unknown'}", f"CREATED={created}"]
    arguments = [word for argument in arguments for word in ("--build-arg", argument)]
    path = OUT / f"fundsim-{version()}-image.tar"
    with tempfile.TemporaryDirectory(prefix="fundsim-image-", ignore_cleanup_errors=True) as own:
        saved = Path(own) / "image.tar"
        build(builder(), Path(own), folder, tag, arguments, saved)
        path.write_bytes(normal(saved, tag))
    return [path]


def build(program, own, folder, tag, arguments, saved):
    """Builds the image of a context, and saves it as an archive."""
    if program == "docker":
        run(program, "build", "--quiet", *arguments, "--tag", tag, folder)
        run(program, "save", "--output", saved, tag)
    else:
        # Health checks are in docker's format only. A storage of its own leaves the user's images alone. It is no part of the cache:
        # podman takes no folder of more than 50 characters, and remembers its path.
        storage = ["--root", own / "storage", "--runroot", own / "run", "--storage-driver", "vfs"]
        words = ["--format", "docker", "--timestamp", epoch(), "--layers=false", "--identity-label=false", "--isolation", "chroot", "--quiet"]
        try:
            run(program, *storage, "build", *words, *arguments, "--tag", tag, folder, stdout=subprocess.DEVNULL)
            if program == "podman":
                run(program, *storage, "save", "--quiet", "--format", "docker-archive", "--output", saved, tag)
            else:
                run(program, *storage, "push", "--quiet", tag, f"docker-archive:{saved}:{tag}")
        finally:
            # Its files may belong to users of the container, whom only it can remove.
            subprocess.run([program, *map(str, storage), "rmi", "--all", "--force"], capture_output=True)


def normal(saved, tag):
    """The saved image without what differs from build to build: the container that has built it, and files for old readers."""
    with tarfile.open(saved) as archive:
        (row,) = json.load(archive.extractfile("manifest.json"))
        config = json.load(archive.extractfile(row["Config"]))
        layers = [archive.extractfile(name).read() for name in row["Layers"]]
    for key in ("container", "container_config", "docker_version", "id", "parent"):
        config.pop(key, None)
    for key in ("Hostname", "Domainname", "Image"):
        config["config"].pop(key, None)
    for step in config["history"]:
        step.pop("comment", None)
    text = json.dumps(config, sort_keys=True, separators=(",", ":")).encode()
    if [f"sha256:{hashlib.sha256(layer).hexdigest()}" for layer in layers] != config["rootfs"]["diff_ids"]:
        raise Failure("the image names other layers than it has")
    # The layer is compressed and the archive is not: docker takes both, podman 4 only this.
    blobs = [Entry(f"{hashlib.sha256(layer).hexdigest()}.tar.gz", squeezed(layer)) for layer in layers]
    digest = hashlib.sha256(text).hexdigest()
    manifest = [{"Config": f"{digest}.json", "RepoTags": [tag], "Layers": [blob.name for blob in blobs]}]
    files = [Entry(manifest[0]["Config"], text), Entry("manifest.json", json.dumps(manifest).encode())]
    return tar([*files, *blobs])
