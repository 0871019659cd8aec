import Features
import Ingest
import OrderedCollections

/// Tables of text: two bytes of options, one for the size of the reader's buffer, then the file.
enum CSVFuzz {
  private static let encodings: [TextEncoding] = [
    .utf8, .utf16, .utf16LittleEndian, .utf16BigEndian, .latin1, .windows1252,
  ]

  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let form = input.byte()
    let options = options(form, input.byte())
    let chunk = 1 + Int(input.byte() & 63)
    let file = input.rest
    let whole = read(file, chunk: 1 << 16, options)
    try whole.checkCounts()
    try whole.checkEqual(read(file, chunk: chunk, options), "with a buffer of \(chunk) bytes")
    for threads in 1...2 {
      var cut = ReadingThreads(threads, sectionBytes: 3 * chunk)
      cut.alwaysCuts = true
      try whole.checkEqual(
        read(file, chunk: chunk, options, cut),
        "with sections of \(cut.sectionBytes) bytes on \(threads) threads")
    }
    try require(
      whole.records.map(\.line) == whole.records.map(\.line).sorted(), "lines out of order")
    try require(
      whole.records.allSatisfy { $0.values.count == whole.names.count }, "a ragged record")
    guard var reader = try? reader(file, chunk: 1 << 16, options) else { return false }
    try Conservation.check(&reader, records: whole, keepsLast: form.has(bit: 5))
    return whole.error == nil && !whole.records.isEmpty
  }

  /// What the bytes choose.
  private static func options(_ form: UInt8, _ content: UInt8) -> CSVOptions {
    var options = CSVOptions()
    options.delimiter = [",", ";", "\t", "|"].map(UInt8.init(ascii:))[Int(form & 3)]
    options.trims = !form.has(bit: 2)
    options.header = !form.has(bit: 3)
    if form.has(bit: 6) { options.decimal = .comma }
    if form.has(bit: 3) { options.columns = ["x", "y", "name"] }
    options.hasGeometry = !form.has(bit: 4)
    options.encoding = encodings[Int(content & 7) % encodings.count]
    if content.has(bit: 3) { options.types = ["name": .number] }
    if content.has(bit: 6) { options.skip = 1 }
    if content.has(bit: 7), options.columns != nil { options.gap = 2 }
    if content.has(bit: 4) { options.nullValues = ["", "-"] }
    if content.has(bit: 5) {
      options.limits.field = 9
      options.limits.record = 21
      options.limits.columns = 4
    }
    return options
  }

  private static func reader(
    _ bytes: [UInt8], chunk: Int, _ options: CSVOptions, _ threads: ReadingThreads = .one
  ) throws(SourceError) -> CSVReader {
    try CSVReader(
      ByteSource(bytes: bytes, name: "fuzz.csv", chunk: chunk), options: options, threads: threads)
  }

  private static func read(
    _ bytes: [UInt8], chunk: Int, _ options: CSVOptions, _ threads: ReadingThreads = .one
  ) -> ReadRecords {
    do throws(SourceError) {
      var reader = try reader(bytes, chunk: chunk, options, threads)
      return ReadRecords(&reader)
    } catch {
      return ReadRecords(refusal: error)
    }
  }
}
