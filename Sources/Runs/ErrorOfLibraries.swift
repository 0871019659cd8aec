import Clustering
import Features
import Fetching
import Files
import Foundation
package import MBTiles
import Overlays
import Raster
import SQLite
import SystemPackage

extension PipelineError {
  /// Any error of a stage as the failure of the run.
  package init(wrapping error: any Error) {
    switch error {
    case let error as PipelineError: self = error
    case let error as SourceError: self.init(error)
    case let error as ArchiveError: self.init(error)
    case let error as FileError: self.init(ArchiveError(error))
    case let error as FetchError: self.init(error)
    case let error as SeriesError: self.init(error)
    case let error as FontError:
      self.init(error.code == .tooManyFiles ? .inputOutput : .missingInput, error.message)
    case let error as ClusteringError: self.init(.definition, error.message)
    case let error as SQLiteError: self.init(.inputOutput, error.description)
    case let error as Errno: self.init(error)
    case let error as POSIXError: self.init(Errno(rawValue: error.code.rawValue))
    case let error as CocoaError:
      let cause = (error.underlying as? POSIXError).map { Errno(rawValue: $0.code.rawValue) }
      self.init(cause ?? .ioError)
      place = error.filePath.map { DocumentPlace(file: $0) }
    default:
      self.init(.bug, "an unexpected error; please report it.", cause: "\(error)")
    }
  }

  /// The failure of a system call as the failure of the run.
  private init(_ error: Errno) {
    let code: Code =
      switch error {
      case .permissionDenied, .notPermitted: .permission
      case .readOnlyFileSystem: .cannotCreate
      default: .inputOutput
      }
    self.init(
      code,
      "a file cannot be read or written. Check the disk, the folders and their permissions.",
      cause: "\(error)")
  }

  /// The failure of an archive as the failure of the run.
  package init(_ error: ArchiveError) {
    let code: Code =
      switch error.code {
      case .cannotCreate: .cannotCreate
      case .inputOutput, .diskFull: .inputOutput
      case .locked: .locked
      case .permission: .permission
      case .missing: .missingInput
      case .badArchive, .badValue: .badData
      case .misuse: .bug
      case .stopped: .interrupted
      }
    self.init(code, error.message)
  }
}
