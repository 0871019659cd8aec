import Features
import Ingest
import RecordChanges

/// Logs of edits: a byte of options, one for the size of the reader's buffer, then the file.
enum EditLogFuzz {
  private struct Outcome: Equatable {
    var entries = 0
    var ledger = SourceLedger()
    var error: String?
  }

  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let form = input.byte()
    let chunk = 1 + Int(input.byte() & 63)
    let file = input.rest
    let whole = read(file, form, chunk: 1 << 16)
    try require(whole.ledger.balances, "the ledger does not balance: \(whole.ledger)")
    try require(read(file, form, chunk: chunk) == whole, "a buffer of \(chunk) bytes matters")
    return whole.error == nil && whole.entries > 0
  }

  private static func read(_ bytes: [UInt8], _ form: UInt8, chunk: Int) -> Outcome {
    var options = EditLogOptions()
    options.key = form.has(bit: 1) ? "id" : nil
    options.sourceColumns = ["id", "name", "x", "y"]
    options.hasGeometry = !form.has(bit: 2)
    if form.has(bit: 3) {
      options.limits.entries = 2
      options.limits.bytes = 64
    }
    let source = ByteSource(bytes: bytes, name: "fuzz", chunk: chunk)
    do throws(SourceError) {
      let log = try EditLog.read(
        [(source: source, form: form.has(bit: 0) ? .geojsonseq : .csv)], options: options)
      return Outcome(entries: log.entryCount, ledger: log.ledger)
    } catch {
      return Outcome(error: error.description)
    }
  }
}
