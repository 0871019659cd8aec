import Features
import Ingest

/// GeoJSON, alone or as a sequence of texts: a byte of options, one for the size of the reader's
/// buffer, then the file.
enum GeoJSONFuzz {
  static func checkDocument(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    try check(bytes) { GeoJSONReader(source: $0, options: $1, threads: $2) }
  }

  static func checkSequence(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    try check(bytes) { GeoJSONSequenceReader(source: $0, options: $1, threads: $2) }
  }

  private static func check<Reader: FeatureReader>(
    _ bytes: UnsafeRawBufferPointer, open: (ByteSource, GeoJSONOptions, ReadingThreads) -> Reader
  ) throws -> Bool {
    var input = FuzzInput(bytes)
    let form = input.byte()
    let options = options(form)
    let chunk = 1 + Int(input.byte() & 63)
    let file = input.rest
    func reader(_ chunk: Int, _ threads: ReadingThreads = .one) -> Reader {
      open(ByteSource(bytes: file, name: "fuzz.geojson", chunk: chunk), options, threads)
    }
    var first = reader(1 << 16)
    let whole = ReadRecords(&first)
    try whole.checkCounts()
    var second = reader(chunk)
    try whole.checkEqual(ReadRecords(&second), "with a buffer of \(chunk) bytes")
    for threads in 1...2 {
      var cut = ReadingThreads(threads, sectionBytes: 2 * chunk)
      cut.alwaysCuts = true
      var cutting = reader(chunk, cut)
      try whole.checkEqual(
        ReadRecords(&cutting),
        "with sections of \(cut.sectionBytes) bytes on \(threads) threads")
    }
    var third = reader(1 << 16)
    try Conservation.check(&third, records: whole, keepsLast: form.has(bit: 3))
    return whole.error == nil && !whole.records.isEmpty
  }

  /// What the byte chooses.
  private static func options(_ form: UInt8) -> GeoJSONOptions {
    var options = GeoJSONOptions()
    if form.has(bit: 0) { options.wanted = ["name", "rank"] }
    if form.has(bit: 1) {
      options.maximumProperties = 3
      options.maximumPositions = 6
      options.nestedValueBytes = 12
      options.lineBytes = 60
    }
    if form.has(bit: 2) { options.batchRecords = 2 }
    return options
  }
}
