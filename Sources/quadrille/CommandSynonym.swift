/// Commands under names that other programs have for them.
enum CommandSynonym {
  private static let all: [(names: String, advice: String)] = [
    (
      "show view serve server open browse start display look watch map viewer",
      "'quadrille preview FILE' shows an archive, a pipeline or data in the browser"
    ),
    (
      "info information describe stat stats ls list dump head meta metadata metadata-json about tileinfo",
      "'quadrille inspect ARCHIVE' describes an archive"
    ),
    (
      "bake make run generate gen create compile tiles tile-all process cook seed cut cache bulk "
        + "update rebuild all import",
      "'quadrille build PIPELINE' bakes the archive of a pipeline"
    ),
    (
      "convert translate transform repack pack unpack copy cp save write to-pmtiles to-mbtiles pmtiles "
        + "mbtiles",
      "'quadrille export ARCHIVE TARGET' writes an archive as PMTiles, GeoPackage or a folder, "
        + "'quadrille new DATA' drafts a pipeline of data"
    ),
    (
      "validate lint test verify-pipeline doctor examine audit",
      "'quadrille check PIPELINE' examines a pipeline and its data, 'quadrille verify ARCHIVE' an "
        + "archive"
    ),
    (
      "fsck checksum check-archive integrity",
      "'quadrille verify ARCHIVE' recomputes what it promises"
    ),
    (
      "init draft scaffold setup begin template add",
      "'quadrille new DATA' drafts a pipeline of data"
    ),
    (
      "estimate count dry-run dryrun preflight size simulate forecast",
      "'quadrille plan PIPELINE' counts tiles and bytes without drawing"
    ),
    (
      "search select find filter get features fetch read grep sql",
      "'quadrille query PIPELINE' prints the records that a condition selects"
    ),
    (
      "draw image picture png screenshot static staticmap snapshot thumbnail print paint",
      "'quadrille render PIPELINE' draws one picture of a view"
    ),
    (
      "explain trace debug identify pick",
      "'quadrille why PIPELINE z/x/y/px,py' explains a pixel"
    ),
    (
      "compare delta difference changes", "'quadrille diff OLD NEW' compares two archives"
    ),
    ("patch upgrade", "'quadrille apply DELTA ARCHIVE' applies a delta"),
    (
      "clip crop subset slice region split",
      "'quadrille extract ARCHIVE' writes the part of a box or polygon"
    ),
    (
      "join combine concat tile-join mosaic",
      "'quadrille merge FOLDER' puts painted shards together"
    ),
    (
      "deploy upload sync release push s3",
      "'quadrille publish ARCHIVE FOLDER' writes a folder of tiles for a web server"
    ),
    ("undo revert restore back", "'quadrille rollback PIPELINE' puts the archive before in place"),
    ("key keygen genkey sign", "'quadrille keys new NAME' makes a pair of keys"),
    ("man manual-page usage docs", "'quadrille --help' lists the commands"),
    ("version", "'quadrille --version' prints the version"),
    ("json-schema jsonschema", "'quadrille schema' prints the JSON Schema of pipelines"),
  ]

  /// Returns what to write instead of a name.
  static func advice(on name: String) -> String? {
    let plain = name.lowercased().replacing("_", with: "-")
    return all.first { $0.names.split(separator: " ").contains { $0 == plain } }?.advice
  }
}
