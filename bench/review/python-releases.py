"""Fetches pairs of consecutive releases of each project, as this machine's pip is set up: two of each kind of file, or
as many as are asked for.

    python-releases.py [--newest PAIRS] FOLDER PROJECT...

Nothing is built or installed: `pip download` would run the code of source distributions. What was fetched is listed in
FOLDER/PROJECT/pairs.json, as pairs of file names, the older one first; the folder is there once all of it was fetched.
"""

import argparse
import json
import os

from pip._internal.commands import create_command

EARLIER = 6  # releases between the two pairs
LARGEST = 20 * 1024 * 1024


def kind_of(link):
    """What a file can be compared with: files of the same kind, for the same Python and system."""
    if not link.is_wheel:
        return "sdist" if link.filename.endswith(".tar.gz") else None
    tags = link.filename[: -len(".whl")].split("-", 2)[2]
    return tags if tags.endswith("-any") or ("manylinux" in tags and "x86_64" in tags) else None


def interpreter_of(kind):
    """Systems are named in more ways than Pythons: `cp312-cp312-manylinux…`."""
    return kind if kind == "sdist" or kind.endswith("-any") else "-".join(kind.split("-")[:2])


def pairs_of(candidates, newest_pairs):
    files = {}
    for candidate in candidates:
        kind = kind_of(candidate.link)
        if kind and not candidate.version.is_prerelease and not candidate.link.is_yanked:
            files.setdefault(interpreter_of(kind), {}).setdefault(candidate.version, candidate.link)
    wheels = sorted((kind for kind in files if kind != "sdist"), key=lambda kind: (max(files[kind]), len(files[kind])))
    for kind in [kind for kind in ["sdist", *wheels[-1:]] if kind in files]:
        versions = sorted(files[kind])
        before = range(newest_pairs) if newest_pairs else [0, EARLIER]
        for newest in [len(versions) - 1 - number for number in before]:
            if newest > 0:
                yield files[kind][versions[newest - 1]], files[kind][versions[newest]]


def main(folder, projects, newest_pairs):
    command = create_command("download")
    options, _ = command.parse_args(["--no-input"])
    with command.main_context():
        session = command.get_default_session(options)
        finder = command._build_package_finder(options=options, session=session, ignore_requires_python=True)
        for project in projects:
            own = os.path.join(folder, project + ".part")
            os.makedirs(own, exist_ok=True)
            pairs = []
            for pair in pairs_of(finder.find_all_candidates(project), newest_pairs):
                if all(fetch(session, link, own) for link in pair):
                    pairs.append([link.filename for link in pair])
            with open(os.path.join(own, "pairs.json"), "w") as listing:
                json.dump(pairs, listing)
            os.rename(own, os.path.join(folder, project))


def fetch(session, link, folder):
    """Whether the file is there; those that are too large are left out."""
    path = os.path.join(folder, link.filename)
    if os.path.exists(path):
        return True
    response = session.get(link.url_without_fragment, stream=True)
    response.raise_for_status()
    if int(response.headers.get("Content-Length", 0)) > LARGEST:
        return False
    with open(path + ".part", "wb") as out:
        for piece in response.iter_content(1 << 20):
            out.write(piece)
    os.rename(path + ".part", path)
    return True


parser = argparse.ArgumentParser()
parser.add_argument("--newest", type=int, help="this many pairs, without gaps")
parser.add_argument("folder")
parser.add_argument("projects", nargs="+")
arguments = parser.parse_args()
main(arguments.folder, arguments.projects, arguments.newest)
