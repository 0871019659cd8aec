/// A reader of bytes from outside, and what must hold whatever they are.
///
/// libFuzzer makes up bytes for it (`make fuzz`), and every `make test` replays the corpus.
package struct FuzzTarget: Sendable {
  /// The name of its folder in `Fuzzing/Corpus`.
  package let name: String

  /// Reads the bytes.
  ///
  /// - Returns: whether they were taken; a refusal is no failure.
  /// - Throws: ``FuzzFailure`` where something does not hold.
  package let check: @Sendable (_ bytes: UnsafeRawBufferPointer) throws -> Bool

  /// All there are, by name.
  package static let all: [FuzzTarget] = [
    FuzzTarget(name: "apply", check: ApplyFuzz.check),
    FuzzTarget(name: "archive", check: ArchiveFuzz.check),
    FuzzTarget(name: "artifact", check: ArtifactFuzz.check),
    FuzzTarget(name: "cql2", check: CQL2Fuzz.check),
    FuzzTarget(name: "csv", check: CSVFuzz.check),
    FuzzTarget(name: "edits", check: EditLogFuzz.check),
    FuzzTarget(name: "expression", check: ExpressionFuzz.check),
    FuzzTarget(name: "filter", check: FilterFuzz.check),
    FuzzTarget(name: "font", check: FontFuzz.check),
    FuzzTarget(name: "geojson", check: GeoJSONFuzz.checkDocument),
    FuzzTarget(name: "geojsonseq", check: GeoJSONFuzz.checkSequence),
    FuzzTarget(name: "geopackage", check: GeoPackageFuzz.check),
    FuzzTarget(name: "gzip", check: PackedFuzz.checkGzip),
    FuzzTarget(name: "http", check: AnswerHeadFuzz.check),
    FuzzTarget(name: "jpeg", check: JPEGFuzz.check),
    FuzzTarget(name: "json", check: PipelineFuzz.checkJSON),
    FuzzTarget(name: "look", check: LookFuzz.check),
    FuzzTarget(name: "mvt", check: VectorTileFuzz.check),
    FuzzTarget(name: "part", check: PartFuzz.check),
    FuzzTarget(name: "plan", check: PlanFuzz.check),
    FuzzTarget(name: "pmtiles", check: PMTilesFuzz.check),
    FuzzTarget(name: "png", check: PNGFuzz.check),
    FuzzTarget(name: "request", check: RequestHeadFuzz.check),
    FuzzTarget(name: "sprite", check: SpriteFuzz.check),
    FuzzTarget(name: "taps", check: TapFuzz.check),
    FuzzTarget(name: "text", check: TextFuzz.check),
    FuzzTarget(name: "updates", check: UpdatesFuzz.check),
    FuzzTarget(name: "webp", check: WebPFuzz.check),
    FuzzTarget(name: "wkb", check: WKBFuzz.check),
    FuzzTarget(name: "wkt", check: WKTFuzz.check),
    FuzzTarget(name: "yaml", check: PipelineFuzz.checkYAML),
    FuzzTarget(name: "zip", check: PackedFuzz.checkZip),
  ]
}

/// What did not hold, in words.
package struct FuzzFailure: Error, CustomStringConvertible {
  package let description: String
}

/// Ends the check where a condition does not hold.
func require(
  _ condition: Bool, _ words: @autoclosure () -> String
) throws(FuzzFailure) {
  guard condition else { throw FuzzFailure(description: words()) }
}
