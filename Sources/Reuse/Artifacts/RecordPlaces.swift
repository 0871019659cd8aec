package import Columns
package import Features
package import Tiling

/// The places of a file's used records, on the map and in the file, with everything else that a
/// query needs to give the same answer from some records as from the whole file: the content of an
/// artifact of kind ``ArtifactKind/places``.
///
/// A linear scan replaces a spatial index: verifying the artifact's checksum over all its bytes
/// takes longer than comparing all boxes.
package struct RecordPlaces: Sendable {
  /// A corner of a record's box in degrees, as in the file.
  package struct Corner: Hashable, BitwiseCopyable, Sendable {
    var longitude: Float
    var latitude: Float
  }

  /// The south-western and north-eastern corners of a record, rounded.
  package struct Box: Hashable, Sendable {
    let low: Corner
    let high: Corner

    /// - Parameter row: a record with a geometry.
    package init(_ geometry: GeometryColumn, _ row: Int) {
      let box = geometry.box(of: row)
      low = Corner(longitude: Float(box.minX), latitude: Float(box.minY))
      high = Corner(longitude: Float(box.maxX), latitude: Float(box.maxY))
    }

    init(low: Corner, high: Corner) { (self.low, self.high) = (low, high) }
  }

  /// The counts after a batch of the reader of the whole file.
  package struct Batch: Hashable, BitwiseCopyable, Sendable {
    /// The number of records in this batch and those before.
    package var delivered: Int
    /// The number of records that the reader has rejected.
    package var rejected: Int
    /// The number of ``RecordPlaces/names`` that it has found.
    package var names: Int

    package init(delivered: Int, rejected: Int, names: Int) {
      (self.delivered, self.rejected, self.names) = (delivered, rejected, names)
    }
  }

  /// The status of the file before it was read.
  package let file: InputStatus

  /// The names of the properties, in the order of their columns.
  package var names: [String] = []

  /// The names of properties that a record has, if only with null.
  package var found: [String] = []

  /// The outcomes of all records, and the values of the properties that filters use as numbers.
  package var ledger = SourceLedger()

  package internal(set) var batches = Column<Batch>()

  /// The identifiers of used records whose id in the file an earlier record has, too.
  package internal(set) var identifiers: [Int: String] = [:]

  /// The outcome of every record that the reader delivered, by its place in
  /// `RecordOutcome.allCases`.
  var outcomes: Column<UInt8>
  /// The low corners of the used records.
  var lows: Column<Corner>
  /// Their high corners; empty while all records are points.
  var highs: Column<Corner>
  /// The position in the file of each used record.
  var begins: Column<Int>
  /// The number of bytes of each used record.
  var lengths: Column<UInt32>

  /// Creates the places of no record.
  ///
  /// - Parameter file: the status of the file, settled: see ``InputStatus/settled(path:)``.
  package init(of file: InputStatus, in scratch: Scratch? = nil) {
    self.file = file
    outcomes = Column(in: scratch)
    lows = Column(in: scratch)
    highs = Column(in: scratch)
    begins = Column(in: scratch)
    lengths = Column(in: scratch)
  }

  /// The number of records that the reader delivered, whatever their outcome.
  package var delivered: Int { outcomes.count }

  /// The number of used records.
  package var count: Int { lows.count }

  /// The number of bytes of the file.
  package var fileBytes: Int { file.size }

  // MARK: Writing

  /// Appends the outcome of the next record.
  package mutating func append(_ outcome: RecordOutcome) {
    let place = RecordOutcome.allCases.firstIndex(of: outcome) ?? 0
    outcomes.append(UInt8(truncatingIfNeeded: place))
  }

  /// Appends the place of a used record, after its outcome.
  ///
  /// - Parameter identifier: its identifier, if an earlier record has its id in the file, too.
  /// - Returns: `false` for a record that is too long.
  package mutating func append(
    _ box: Box, _ extent: RecordExtent, identifier: String?
  ) -> Bool {
    guard let length = UInt32(exactly: extent.count) else { return false }
    if let identifier { identifiers[count] = identifier }
    if highs.isEmpty, box.low != box.high { highs = lows }
    if box.low != box.high || !highs.isEmpty { highs.append(box.high) }
    lows.append(box.low)
    begins.append(extent.begin)
    lengths.append(length)
    return true
  }

  /// Ends a batch.
  package mutating func end(_ batch: Batch) { batches.append(batch) }

  // MARK: Reading

  /// Returns the used records whose boxes may touch a box, in the order of the file.
  ///
  /// Whole turns of longitude are ignored, as in CQL2. Rounded corners move by less than a margin.
  /// - Complexity: O(records); 2 ms for a million.
  package func records(touching bounds: GeoBounds) -> [Int] {
    let margin = 1.0 / 4096
    let east = bounds.east + (bounds.crossesAntimeridian ? 360 : 0)
    let spans = LngLat.turns.map { turn in
      (Float(bounds.west - turn - margin), Float(east - turn + margin))
    }
    let (south, north) = (Float(bounds.south - margin), Float(bounds.north + margin))
    let highs = highs.isEmpty ? lows : highs
    return lows.withUnsafeBufferPointer { lows in
      highs.withUnsafeBufferPointer { highs in
        lows.indices.filter { record in
          let (low, high) = (lows[record], highs[record])
          guard low.latitude <= north, high.latitude >= south else { return false }
          return spans.contains { low.longitude <= $0.1 && high.longitude >= $0.0 }
        }
      }
    }
  }

  /// The bytes of a used record in the file.
  package func extent(_ record: Int) -> RecordExtent {
    RecordExtent(begin: begins[record], end: begins[record] + Int(lengths[record]))
  }

  package func box(_ record: Int) -> Box {
    Box(low: lows[record], high: highs.isEmpty ? lows[record] : highs[record])
  }

  /// Returns the counts at the moment at which a reader that ends early has delivered a used record
  /// and the rest of its batch.
  ///
  /// - Returns: the outcomes up to the record, and the names and the rejected records up to the end
  ///   of the batch.
  /// - Complexity: O(records).
  package func counts(upTo record: Int) -> (ledger: SourceLedger, names: [String]) {
    var counts: [RecordOutcome: Int] = [:]
    var read = 0
    while read < outcomes.count, counts[.used, default: 0] <= record {
      counts[RecordOutcome.allCases[Int(outcomes[read])], default: 0] += 1
      read += 1
    }
    let batch = batches.first { $0.delivered >= read }
    var ledger = SourceLedger()
    ledger.restore(counts: { counts[$0] ?? 0 }, repairs: { _ in 0 })
    ledger.read = read + (batch?.rejected ?? 0)
    ledger.rejectedUnexplained = (counts[.rejected] ?? 0) + (batch?.rejected ?? 0)
    return (ledger, Array(names.prefix(batch?.names ?? 0)))
  }
}

// MARK: - As an artifact

extension RecordPlaces {
  /// A writer of the columns, which shares its storage with the places.
  package var writer: ArtifactWriter {
    var writer = ArtifactWriter()
    writer.append(Column(file.numbers))
    writer.append(texts: names)
    writer.append(texts: found)
    writer.append(ledger)
    writer.append(batches)
    let repeated = identifiers.sorted { $0.key < $1.key }
    writer.append(Column(repeated.lazy.map(\.key)))
    writer.append(texts: repeated.map(\.value))
    writer.append(outcomes)
    writer.append(lows)
    writer.append(highs)
    writer.append(begins)
    writer.append(lengths)
    return writer
  }

  /// Reads the columns of ``writer``.
  ///
  /// - Complexity: O(bytes), one copy.
  package init(_ reader: inout ArtifactReader) throws(ArtifactDamage) {
    guard let file = InputStatus(numbers: Array(try reader.column(of: Int64.self))) else {
      throw ArtifactDamage("a file has no status")
    }
    self.file = file
    names = try reader.texts().compactMap(\.self)
    found = try reader.texts().compactMap(\.self)
    ledger = try reader.ledger()
    batches = try reader.column(of: Batch.self)
    let repeated = Array(try reader.column(of: Int.self))
    let texts = try reader.texts().compactMap(\.self)
    outcomes = try reader.column(of: UInt8.self)
    lows = try reader.column(of: Corner.self)
    highs = try reader.column(of: Corner.self)
    begins = try reader.column(of: Int.self)
    lengths = try reader.column(of: UInt32.self)
    guard repeated.count == texts.count, begins.count == lows.count, lengths.count == lows.count,
      highs.isEmpty || highs.count == lows.count,
      outcomes.allSatisfy({ $0 < RecordOutcome.allCases.count })
    else { throw ArtifactDamage("places do not fit together") }
    identifiers = Dictionary(zip(repeated, texts), uniquingKeysWith: { first, _ in first })
  }
}
