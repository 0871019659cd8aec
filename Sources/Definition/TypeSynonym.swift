/// A type of sources or layers under names that other programs and files give to it.
struct TypeSynonym {
  /// The type.
  let type: String

  /// What the type is for, in words.
  let meaning: String

  private let names: Set<String>

  private init(_ type: String, _ meaning: String, _ names: String) {
    self.type = type
    self.meaning = meaning
    self.names = Set(names.split(separator: " ").map(String.init))
  }

  private static let all: [TypeSynonym] = [
    TypeSynonym(
      "csv", "tables of text and spreadsheets",
      "tsv txt text table tab-separated delimited psv dsv spreadsheet xls xlsx ods excel sheet"),
    TypeSynonym(
      "geojson", "GeoJSON of a file or a service",
      "json geo+json feature features featurecollection wfs arcgis featureserver ogcapi oapif rest"),
    TypeSynonym(
      "geojsonseq", "GeoJSON features line by line",
      "geojsonl ndjson jsonl jsonlines ndgeojson ldgeojson nldgeojson ndjsonl geojsontextsequence"),
    TypeSynonym("gpkg", "GeoPackages", "geopackage geopkg"),
    TypeSynonym(
      "ogr", "files and databases that GDAL reads",
      "shp shapefile shapefiles esri kml kmz gpx gml fgb flatgeobuf parquet geoparquet arrow feather "
        + "dxf dwg dgn tab mif mapinfo dbf postgis postgres postgresql pg "
        + "mysql mssql sqlite spatialite db sql database gdb fgdb filegdb geodatabase topojson "
        + "esrijson georss osm pbf.osm gtfs tiger s57 gdal vectorfile geocsv jml svg"),
    TypeSynonym(
      "vector", "vector tiles",
      "mvt pbf vectortile vectortiles vector-tile vector-tiles openmaptiles protomaps mapbox tilejson "
        + "mlt"),
    TypeSynonym(
      "raster", "tiles of pictures", "xyz tms wmts wms rastertiles raster-tiles zxy slippy tiles"),
    TypeSynonym(
      "image", "one georeferenced picture",
      "tif tiff geotiff cog png jpg jpeg webp gif bmp jp2 ecw vrt picture photo overlay "
        + "ground-overlay scan grid asc ascii dem dtm hgt netcdf nc grib grib2 hdf rasterfile"),
    TypeSynonym(
      "image-series", "frames of an animation",
      "series animation frames timeseries time-series imageseries images"),
    TypeSynonym(
      "circle", "disks at points",
      "point points marker markers dot dots pin pins bubble bubbles node nodes scatter circles"),
    TypeSynonym(
      "chart", "pies, donuts and stacked bars",
      "pie pies donut donuts doughnut doughnuts ring rings bar bars column columns piechart pie-chart "
        + "bar-chart barchart charts diagram"),
    TypeSynonym("leg", "lines from spread points to their stacks", "legs leader leaders spider"),
    TypeSynonym(
      "symbol", "labels and icons",
      "label labels text texts icon icons annotation annotations poi pois symbols"),
    TypeSynonym(
      "line", "lines and outlines",
      "polyline polylines linestring linestrings multilinestring stroke outline border path paths "
        + "road roads route routes track way ways lines"),
    TypeSynonym(
      "fill", "areas",
      "polygon polygons multipolygon area areas shape shapes region regions surface choropleth "
        + "building buildings fills"),
    TypeSynonym("heatmap", "densities of points", "heat density hotspot kernel heatmaps"),
    TypeSynonym("background", "one colour below all", "base ground backdrop canvas color colour"),
  ]

  /// Returns what a name probably means among the types of sources or layers.
  static func advice(on name: String, among known: [String]) -> String? {
    let plain = name.lowercased().drop { $0 == "." }
    // Both kinds of tiles come in these containers.
    if ["mbtiles", "pmtiles"].contains(plain), known.contains("vector") {
      return "write 'type: vector' for vector tiles, 'type: raster' for pictures"
    }
    return all.first { known.contains($0.type) && $0.names.contains(String(plain)) }.map {
      "write 'type: \($0.type)', which is for \($0.meaning)"
    }
  }
}
