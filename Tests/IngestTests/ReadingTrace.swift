import Features
import Ingest
import Tiling

/// Everything that can be seen of a reader, batch by batch, so that two ways of reading can be
/// compared.
struct ReadingTrace: Hashable {
  /// A column with all that it stores.
  struct Column: Hashable {
    var name: String
    var kinds: ContiguousArray<PropertyColumn.Kind>
    var ends: ContiguousArray<UInt32>
    var bytes: ContiguousArray<UInt8>

    init(_ column: PropertyColumn) {
      name = column.name
      kinds = ContiguousArray(column.kinds)
      ends = ContiguousArray(column.ends)
      bytes = ContiguousArray(column.bytes)
    }
  }

  /// A batch, and what the reader said behind it.
  struct Batch: Hashable {
    var columns: [Column]
    var ids: Column
    var lines: ContiguousArray<Int>
    var extents: ContiguousArray<RecordExtent>
    var kinds: ContiguousArray<GeometryColumn.Kind>
    var partEnds: ContiguousArray<UInt32>
    var parts: ContiguousArray<GeometryColumn.Part>
    var positionEnds: ContiguousArray<UInt32>
    /// The bits of longitude and latitude in turn.
    var positions: [UInt64]
    var ledger: SourceLedger
    var names: [String]
    /// The bytes read so far, of readers whose fills are the same.
    var bytesRead: Int?
  }

  private(set) var batches: [Batch] = []
  private(set) var ledger = SourceLedger()
  private(set) var names: [String] = []
  private(set) var error: String?

  /// Reads to the end.
  ///
  /// - Parameter countsBytes: whether the bytes read after each batch are compared.
  init(_ reader: some FeatureReader, countsBytes: Bool = false) {
    var reader = reader
    var batch = FeatureBatch()
    do {
      while try reader.read(into: &batch) {
        batches.append(
          Batch(
            columns: batch.columns.map(Column.init), ids: Column(batch.ids), lines: batch.lines,
            extents: batch.extents, kinds: batch.geometry.kinds, partEnds: batch.geometry.partEnds,
            parts: batch.geometry.parts, positionEnds: batch.geometry.positionEnds,
            positions: batch.geometry.positions.flatMap {
              [$0.longitude.bitPattern, $0.latitude.bitPattern]
            },
            ledger: reader.ledger, names: reader.propertyNames,
            bytesRead: countsBytes ? reader.bytesRead : nil))
      }
    } catch {
      self.error = error.description
    }
    ledger = reader.ledger
    names = reader.propertyNames
  }

  /// A source that was refused before its first record.
  init(refusal: SourceError) {
    error = refusal.description
  }
}

extension ReadingThreads {
  /// Threads that read sections of this size even of the shortest text.
  static func cutting(_ sectionBytes: Int, _ count: Int = 1) -> ReadingThreads {
    var threads = ReadingThreads(count, sectionBytes: sectionBytes)
    threads.alwaysCuts = true
    return threads
  }
}
