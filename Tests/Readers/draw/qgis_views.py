"""Draws views with QGIS, offscreen. Runs with the Python that has Debian's python3-qgis.

usage: qgis_views.py FILE, where FILE is the JSON of a list of {archive, mercator, size, background, output}
"""

import json
import os
import sys

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from qgis.core import (  # noqa: E402
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsRasterLayer,
    QgsRectangle,
)
from qgis.PyQt.QtCore import QSize  # noqa: E402
from qgis.PyQt.QtGui import QColor  # noqa: E402


def draw(job):
    layer = QgsRasterLayer(f"type=mbtiles&url=file://{job['archive']}", "tiles", "wms")
    if not layer.isValid():
        raise SystemExit(f"QGIS does not open {job['archive']}: {layer.error().summary()}")
    west, south, east, north = job["mercator"]
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
    settings.setExtent(QgsRectangle(west, south, east, north))
    settings.setOutputSize(QSize(job["size"], job["size"]))
    settings.setBackgroundColor(QColor(job["background"]))
    work = QgsMapRendererParallelJob(settings)
    work.start()
    work.waitForFinished()
    work.renderedImage().save(job["output"])
    extent = layer.extent()
    return [extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum()]


application = QgsApplication([], False)
application.initQgis()
with open(sys.argv[1], encoding="utf-8") as file:
    print(json.dumps([draw(job) for job in json.load(file)]))
sys.stdout.flush()
os._exit(0)  # providers that end after the application crash now and then
