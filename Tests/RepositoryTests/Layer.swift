/// A layer of the program: targets that may import those of lower layers.
struct Layer {
  /// One target of a layer.
  struct Member {
    let name: String
    /// What it holds, as ARCHITECTURE.md says it.
    let holds: String

    init(_ name: String, _ holds: String) {
      self.name = name
      self.holds = holds
    }
  }

  let name: String

  /// Whether none of its targets may import another; else one may import those listed before it.
  var isSideBySide = false

  let members: [Member]

  /// The layers from the bottom up. **A new target gets a line here**, in the layer where it belongs,
  /// behind the targets of that layer that it imports.
  static let all: [Layer] = [
    Layer(
      name: "C",
      members: [
        Member("CSQLite", "SQLite of the system"),
        Member("CLibPNG", "libpng of the system"),
        Member("CPNG", "libpng behind a shim, which keeps `setjmp` inside C"),
        Member("CLibJPEG", "libjpeg of the system"),
        Member("CJPEG", "libjpeg behind a shim, which keeps `setjmp` inside C"),
        Member("CCurl", "libcurl, loaded at the first download"),
        Member(
          "CFiles",
          "calls on files that Swift's overlay lacks: the exchange of names, copies in the system"),
        Member(
          "CChild",
          "the start of child processes, between whose `fork` and `execve` Swift cannot run"),
        Member("CLimit", "the end of a process without address space, by a handler"),
        Member("CUnpack", "libzstd and libbz2, loaded at the first file that needs them"),
        Member("CWebP", "libwebp, loaded at the first tile in WebP"),
        Member("CProj", "PROJ, loaded at the first position in another reference system"),
        Member("CScan", "the vector instructions of the readers of text"),
        Member("CDeflate", "libdeflate of the system"),
        Member("CZlib", "zlib of the system"),
        Member("CCrypto", "libcrypto of OpenSSL, on Linux"),
        Member("CFreeType", "FreeType of the system"),
        Member("CFriBidi", "FriBidi of the system"),
        Member("CHarfBuzz", "HarfBuzz of the system"),
        Member("CLibICU", "ICU of the system"),
        Member("CICU", "ICU behind a shim, which keeps its types from those of Foundation's ICU"),
      ]),
    Layer(
      name: "base",
      members: [
        Member("Platform", "the C library of the platform under one name"),
        Member("Workers", "threads, and jobs on them with results in the order of the jobs"),
        Member("Hashing", "SHA-256, MD5 and HMAC of the system's library"),
        Member(
          "Failures",
          "what every error that ends a run has: code, sentence, place; the name that was meant"),
        Member(
          "Files",
          "durable and temporary files, locks, folder listings, formats, sizes, free space, digests, mapped files"
        ),
        Member("Pictures", "the structure of PNG, JPEG and WebP, read without decoding pixels"),
        Member("Children", "programs run as child processes, under limits"),
        Member("Columns", "columns of plain values, in memory or in scratch files"),
        Member("JSON", "a JSON reader with places, and a writer"),
        Member("Calendar", "instants and their text forms"),
        Member(
          "Tiling",
          "world positions, boxes, tile coordinates with the flip between XYZ and TMS rows"),
        Member(
          "TextAnalysis",
          "directions of texts by FriBidi; scripts, line breaks, collation and numbers by ICU"),
        Member(
          "Raster",
          "colours, pixmaps, antialiased shapes, lines, and text by HarfBuzz and FreeType"),
        Member("SQLite", "a thin wrapper: database, statement, error"),
        Member(
          "PNG",
          "PNG encoders, among them one for sparse tiles that also writes WebP, and the decoder"),
        Member("TileCodecs", "the formats of tiles: PNG, WebP by libwebp, JPEG by libjpeg-turbo"),
        Member("Features", "records as columns, point and shape sets, the ledger of records"),
        Member("TapReading", "compact taps as values, read from bytes, with their hit test"),
        Member("TapBlocks", "compact taps written: their encoding, compression, parts and grids"),
      ]),
    Layer(
      name: "stages",
      members: [
        Member(
          "Unpacking",
          "packed files (gzip, zip, zstd, bzip2) unpacked into temporary ones, and sheets as CSV"),
        Member(
          "Projections", "positions of other reference systems as degrees, by arithmetic or PROJ"),
        Member("GDAL", "records and images that the programs of GDAL convert, as child processes"),
        Member("Expressions", "MapLibre expressions and filters, and CQL2, parsed and compiled"),
        Member("Ingest", "readers of CSV and GeoJSON, and the judge of their records"),
        Member("RecordChanges", "edit logs and joins, as readers between a file and its records"),
        Member(
          "Examination", "the examination of tables and shapes, with what `check` finds in them"),
        Member("GeoPackages", "GeoPackage files: readers of their features and of their tiles"),
        Member(
          "SpatialIndex",
          "points in Morton order; lines and polygons simplified and cut into tiles"),
        Member("VectorTiles", "Mapbox Vector Tiles decoded, their features as records"),
        Member("Clustering", "clusters of every zoom, by grid or by radius"),
        Member("Overlays", "images decoded, placed and warped; series of frames as values"),
        Member("Styling", "a style's layers compiled, and what each feature looks like"),
        Member("Sprites", "sprites and single images decoded for a style's icons and patterns"),
        Member("Scenes", "which looks stand where in which tile"),
        Member("Painting", "sprites, palettes and pixels: a scene becomes a picture"),
        Member("MBTiles", "archives: writer, reader, verifier, publication by rename"),
        Member("ArchiveDeltas", "deltas between two archives: made, merged, applied"),
        Member("PMTiles", "PMTiles 3: writer, reader, verifier"),
        Member("Tilesets", "tiles and their metadata in any container, as sources"),
        Member("Fetching", "remote files through a cache, by libcurl"),
      ]),
    Layer(
      name: "run",
      members: [
        Member("Runs", "what every run has: options, progress, cancellation, stage times, errors"),
        Member("Definition", "the pipeline file as values: sources, layers, tiles, output"),
        Member("Inputs", "where the bytes of sources come from, and how they are opened"),
        Member("Reuse", "artifacts of earlier runs, and what may be taken from them"),
        Member("Reports", "the report of a run as values"),
        Member("Archives", "commands on finished archives: inspect, verify, delta, export, taps"),
        Member("Publication", "what follows an archive: packs, deltas, lists, sidecars, rollback"),
        Member("SourceStages", "sources read, filtered, joined by stacks, and clustered"),
        Member("Baking", "the build: its stages from ingest to publication"),
        Member("Series", "series of frames: an archive for each, and their manifest"),
      ]),
    Layer(
      name: "leaves", isSideBySide: true,
      members: [
        Member("Shards", "builds divided among processes: a plan, its painted parts, their merge"),
        Member("Queries", "the commands `query`, `why` and `check`"),
        Member("Drafts", "the command `new`: pipelines drafted from files of data"),
        Member("ReportPages", "the report as an HTML page and as Prometheus metrics"),
      ]),
    Layer(
      name: "faces",
      members: [
        Member("Pipeline", "what the programs call: a run from the pipeline file to its report"),
        Member(
          "QuadrilleKit",
          "the library for Swift programs that embed it: draft, check, build, render, read"),
        Member(
          "QuadrilleClient",
          "the library for apps that show archives: tiles, taps, frames, updates"),
        Member(
          "Preview", "the preview page, its answers to requests as values, and their connections"),
        Member("quadrille", "the command line: arguments, exit codes, terminal"),
        Member(
          "quadrille-preview", "the preview's server on the loopback address, which paints data"),
      ]),
  ]
}
