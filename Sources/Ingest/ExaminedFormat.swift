/// The format of a file as its examination needs to know it.
package enum ExaminedFormat {
  case csv(CSVOptions)
  case geojson
  case geojsonseq
  /// A layer of vector tiles, which were made by a program for programs.
  case vectorTiles
  /// A format whose files are not text.
  case other
}
