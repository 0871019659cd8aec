"""An archive after any edits is that of a full build, for each kind of source."""

import os

import pytest

from kit import edits

LONG = int(os.environ.get("QUADRILLE_EDITS", "60"))


@pytest.mark.parametrize("kind", edits.KINDS)
def test_a_few_edits_end_in_the_archive_of_a_full_build(kind, tmp_path):
    edits.compared(kind, 1, 4, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize("kind", edits.KINDS)
def test_many_edits_end_in_the_archive_of_a_full_build(kind, seed, tmp_path):
    edits.compared(kind, seed, LONG, tmp_path)
