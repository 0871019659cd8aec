import Columns
import Features
import Reuse
import Scenes

/// The pieces of tilesets that builds remember at one zoom: the symbols of a square of source tiles, and
/// the scenes of a block of the map's tiles. Where all that a piece follows from is as in the last build,
/// its source tiles are not decoded and no scene is made.
///
/// The artifact is named by the fingerprint of the build without the contents of tilesets: program,
/// options, style, fonts, sprites, and the files of all other sources. A square follows moreover from
/// - the bytes of its source tiles, and which there are,
/// - the trials of the layers on lower zooms;
///
/// and a block, in addition to both of its own source tiles, from
/// - its tiles within the map, and the box that the background fills,
/// - the source tiles that it counts,
/// - the bytes of the source tiles whose symbols reach it,
/// - what was decided on each symbol that stands there: whether it shows, and where its label lies.
struct PieceMemory {
  private let cache: ArtifactCache
  private let name: ArtifactKey
  private let scratch: Scratch?

  /// Pieces by the hashes of what they follow from.
  private struct Pieces {
    var keys: Column<StableHash>
    var ends: Column<Int>
    var bytes: Column<UInt8>

    init(in scratch: Scratch?) {
      keys = Column(in: scratch)
      ends = Column(in: scratch)
      bytes = Column(in: scratch)
    }

    func range(_ piece: Int) -> Range<Int> { (piece == 0 ? 0 : ends[piece - 1])..<ends[piece] }

    mutating func append(_ key: StableHash, _ piece: some Sequence<UInt8>) {
      keys.append(key)
      bytes.append(contentsOf: piece)
      ends.append(bytes.count)
    }
  }

  private var last: Pieces
  private var numbers: SceneTable
  private var next: Pieces

  /// Whether a piece was made that the last build does not have.
  private var hasNew = false

  /// - Parameter isForced: whether nothing is taken from the last build.
  init(_ name: ArtifactKey, in cache: ArtifactCache, isForced: Bool, _ scratch: Scratch?) {
    self.name = name
    self.cache = cache
    self.scratch = scratch
    next = Pieces(in: scratch)
    let stored =
      isForced
      ? nil
      : cache.value(name) { (reader) throws(ArtifactDamage) -> Pieces in
        var pieces = Pieces(in: scratch)
        pieces.keys = try reader.column(of: StableHash.self)
        pieces.ends = try reader.column(of: Int.self)
        pieces.bytes = try reader.column(of: UInt8.self)
        guard pieces.keys.count == pieces.ends.count, pieces.ends.first ?? 0 >= 0,
          zip(pieces.ends, pieces.ends.dropFirst()).allSatisfy({ $0 <= $1 }),
          pieces.ends.last ?? 0 == pieces.bytes.count
        else { throw ArtifactDamage("its pieces are not where they should be") }
        return pieces
      }
    last = stored ?? Pieces(in: scratch)
    numbers = SceneTable(last.keys)
  }

  /// Returns what the last build knew of a piece.
  func piece(_ key: StableHash) -> ByteReader? {
    numbers.number(of: key).map { ByteReader(last.bytes, in: last.range($0)) }
  }

  /// Keeps a piece that was taken from the last build.
  mutating func keep(_ key: StableHash) {
    guard let number = numbers.number(of: key) else { return }
    next.append(key, last.bytes[last.range(number)])
  }

  /// Adds a piece that was made.
  mutating func insert(_ key: StableHash, _ piece: ByteWriter) {
    hasNew = true
    next.append(key, piece.bytes)
  }

  /// Stores the pieces of this build for the next one.
  func store() {
    guard hasNew || next.keys.count != last.keys.count else { return }
    cache.storeMeanwhile(name) { [next] in
      var writer = ArtifactWriter()
      writer.append(next.keys)
      writer.append(next.ends)
      writer.append(next.bytes)
      return writer
    }
  }
}

// MARK: Pieces as bytes

extension ByteWriter {
  /// Appends the outcome of reading a part, and the requested properties that it has.
  ///
  /// - Returns: whether it can be restored: counts alone can.
  mutating func append(_ ledger: SourceLedger, _ names: [String]) -> Bool {
    for outcome in RecordOutcome.allCases { append(ledger[outcome]) }
    for repair in RecordRepair.allCases { append(ledger.repaired[repair] ?? 0) }
    append(ledger.read)
    append(names.count)
    for name in names { append(name) }
    return ledger.counts == ledger
  }

  /// Appends the trials of layers after a piece.
  ///
  /// - Parameter start: the bytes of those before it.
  mutating func append(_ trials: PartTrials, after start: ByteWriter) {
    let bytes = trials.bytes
    let isSame = bytes.bytes.elementsEqual(start.bytes)
    append(isSame ? ByteWriter() : bytes)
  }
}

extension ByteReader {
  mutating func ledger() throws(Damage) -> (SourceLedger, names: [String]) {
    var (outcomes, repairs): ([RecordOutcome: Int], [RecordRepair: Int]) = ([:], [:])
    for outcome in RecordOutcome.allCases { outcomes[outcome] = try count() }
    for repair in RecordRepair.allCases { repairs[repair] = try count() }
    var ledger = SourceLedger()
    ledger.restore(counts: { outcomes[$0] ?? 0 }, repairs: { repairs[$0] ?? 0 })
    ledger.read = try count()
    var names: [String] = []
    for _ in 0..<(try count()) { names.append(try text()) }
    return (ledger, names)
  }

  /// Reads the trials of layers after a piece.
  ///
  /// - Parameter start: those before it.
  mutating func trials(after start: PartTrials) throws(Damage) -> PartTrials {
    let bytes = try column(of: UInt8.self)
    guard !bytes.isEmpty else { return start }
    var trials = start
    var reader = ByteReader(bytes, in: 0..<bytes.count)
    try trials.restore(&reader)
    return trials
  }
}

extension SourceLedger {
  /// The ledger without examples and places.
  fileprivate var counts: SourceLedger {
    var counts = SourceLedger()
    counts.restore(counts: { self[$0] }, repairs: { repaired[$0] ?? 0 })
    counts.read = read
    return counts
  }
}
