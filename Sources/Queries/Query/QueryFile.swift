import Failures
import Files
import MBTiles
import Reports
import Runs
import SystemPackage

/// The file of a query's result, which appears complete or not at all.
final class QueryFile {
  private let pending: PendingFile

  /// Creates the object; creates nothing on disk yet.
  init(_ path: String) throws(PipelineError) {
    guard FilePath(path).lastComponent != nil else {
      throw PipelineError(.usage, "'\(path)' names no file.")
    }
    pending = PendingFile(FilePath(path))
  }

  var path: FilePath { pending.path }

  /// The path at which to write.
  var temporary: FilePath { pending.temporary }

  /// Creates the file empty, for a writer that opens it itself: SQLite does not report why it
  /// cannot create one.
  func create() throws(PipelineError) {
    do {
      try pending.create()
    } catch {
      throw failure(error)
    }
  }

  /// Appends bytes.
  func write(_ bytes: [UInt8]) throws(PipelineError) {
    do {
      try pending.write(bytes)
    } catch {
      throw failure(error)
    }
  }

  /// Makes the file durable and gives it its name.
  func commit() throws(PipelineError) {
    do {
      try pending.finish()
      try LeftoverJournal.settle(path, for: temporary)
      try pending.commit()
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: any Error) -> PipelineError {
    if let error = error as? any Failure { return PipelineError(error) }
    return ReportFile.failure(error as? Errno ?? .ioError, path: path.string)
  }
}
