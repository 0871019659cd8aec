/// The reason why a build wrote its archive as a whole and did not make it from the last one, or did
/// another part of its work for all data.
///
/// A build decides it once: from its pipeline and options before it reads anything, and from the last
/// archive before it writes. The report stores it, metrics have it as a label, and `build -v` prints it.
package enum WhyNot: String, Error, CaseIterable, Hashable, Sendable {
  /// Nothing is kept between runs.
  case noCache
  /// Every tile is to be painted.
  case forced
  /// The archive is assembled from parts, or belongs to a series.
  case parts
  case pmtiles
  /// Its UTFGrids are made in another way than those of the last archive, or that is not known.
  case taps
  /// There is no last archive, or it was drawn by another program, with other fonts or another palette.
  case unknown
  case layout
  /// Another program has written to the archive since.
  case touched
  /// So much changes that writing all is faster, or the pages of the last archive are not known.
  case changes
  /// The last archive does not hold what is known of it.
  case misfit
  /// Tiles show more than circles and labels, so the scenes of all are made, whatever becomes of the
  /// archive.
  case shapes
  /// The data of a source is read again with its log of edits.
  case edits

  /// The reason after "since".
  package var words: String {
    switch self {
    case .noCache: "nothing is kept between runs (--no-cache, or --cache-size 0)"
    case .forced: "--force paints every tile"
    case .parts: "it is painted in parts, or a frame of a series"
    case .pmtiles: "a PMTiles file is packed as a whole"
    case .taps: "its UTFGrids are made in another way than those of the last archive"
    case .unknown: "there is no last archive that was drawn by the same program, fonts and colours"
    case .layout: "its layout or the size of its pages changes"
    case .touched: "another program has written to the last archive"
    case .changes: "so many of its tiles change that this is faster"
    case .misfit: "the last archive does not hold what the cache knows of it"
    case .shapes: "tiles show more than circles and labels (the scenes of all tiles are made)"
    case .edits:
      "the log of edits is laid over known records only of a CSV file with 'id', in degrees, without "
        + "'join', 'line', 'filter' and 'where' (the records are read again)"
    }
  }
}
