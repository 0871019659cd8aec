import Failures
import SQLite
import SystemPackage
import Testing

@testable import MBTiles

@Suite("An archive error")
struct ArchiveErrorTests {
  @Test(
    "an archive error maps the system's failure to its exit status",
    arguments: [
      (.noSpace, .diskFull, 74), (.diskQuotaExceeded, .diskFull, 74), (.ioError, .inputOutput, 74),
      (.permissionDenied, .permission, 77), (.readOnlyFileSystem, .cannotCreate, 73),
      (.noSuchFileOrDirectory, .cannotCreate, 73), (.notDirectory, .cannotCreate, 73),
      (.wouldBlock, .inputOutput, 74), (.tooManyOpenFiles, .inputOutput, 74),
      (.improperLink, .inputOutput, 74),
    ] as [(Errno, ArchiveError.Code, Int32)])
  func system(errno: Errno, code: ArchiveError.Code, status: Int32) {
    let error = ArchiveError(errno, doing: "write", path: "out/a")
    #expect(error.code == code)
    #expect(error.failureCode.exitStatus == status)
    #expect(error.message.hasPrefix("cannot write out/a: "))
  }

  @Test(
    "an archive error maps SQLite's failure to its exit status",
    arguments: [
      (13, .diskFull, 74), (10, .inputOutput, 74), (778, .inputOutput, 74), (14, .cannotCreate, 73),
      (8, .permission, 77), (5, .locked, 75), (11, .badArchive, 65), (26, .badArchive, 65),
    ] as [(Int32, ArchiveError.Code, Int32)])
  func sqlite(result: Int32, code: ArchiveError.Code, status: Int32) {
    let cause = SQLiteError(code: result, message: "why")
    let error = ArchiveError(cause, doing: "write", path: "out/a")
    #expect(error.code == code)
    #expect(error.failureCode.exitStatus == status)
    #expect(error.message.hasPrefix("cannot write out/a: why."))
  }
}
