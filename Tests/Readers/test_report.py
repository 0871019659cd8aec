"""The report for people, `build --report out.html`, in a real browser: whole in itself, legible, with its pictures."""

import subprocess

import pytest

from kit import access, cases
from kit.comparison import save

PIPELINES = ["hotels", "rain"]


@pytest.fixture(scope="module", params=PIPELINES)
def report(request, tmp_path_factory):
    """The report of an archive that stands: its build has nothing to do."""
    path = tmp_path_factory.mktemp("report") / f"{request.param}.html"
    pipeline = f"{cases.HERE}/pipelines/{request.param}.yml"
    run = subprocess.run([cases.PROGRAM, "build", "-q", pipeline, "--report", str(path)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    if not path.read_text(encoding="utf-8").lstrip().lower().startswith("<!doctype html>"):
        pytest.skip("this program writes no HTML")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_needs_nothing_else_and_is_for_everybody(report, scheme, chromium):
    with chromium.page(1100, 2400) as page:
        page.colours(scheme)
        page.open(f"file://{report}")
        page.wait("document.readyState === 'complete'")
        save(page.screenshot(), f"report-{report.stem}-{scheme}")
        assert not page.complaints
        assert [url for url in page.requests if not url.startswith("data:")] == [f"file://{report}"]
        page.run("[...document.images].forEach((one) => { one.loading = 'eager'; })")
        page.wait("document.images.length > 0 && [...document.images].every((one) => one.complete && one.naturalWidth > 0)")
        assert page.run("[...document.images].every((one) => one.hasAttribute('alt'))")
        assert page.run("document.documentElement.lang !== '' && document.title !== '' && document.querySelector('h1') !== null")
        assert page.run("[...document.querySelectorAll('table')].every((one) => one.querySelector('th') !== null)")
        assert page.run("document.documentElement.scrollWidth <= innerWidth")
        assert access.faint(page) == []
