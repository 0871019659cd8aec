package import Failures
package import Files
package import SQLite
package import SystemPackage

// The sentences of archive errors, each worded once, with their codes.

extension ArchiveError {
  package var code: Code {
    switch fact {
    case .system(let error): Code(error.cause)
    case .database(let error, _): Code(error)
    case .file(let fact): fact.code
    case .content: .badArchive
    case .delta, .value: .badValue
    case .stopped: .stopped
    case .misuse: .misuse
    }
  }

  /// A sentence with the problem and its remedy.
  package var message: String {
    let path = path?.string ?? ""
    return switch fact {
    case .system(let error): error.sentence
    case .database(let error, let doing): "cannot \(doing) \(path): \(error.message).\(code.remedy)"
    case .file(let fact): fact.sentence(path)
    case .content(let fact): fact.sentence(path)
    case .delta(let fact): fact.sentence(path)
    case .value(let fact): fact.sentence(path)
    case .stopped(let activity): "\(activity) \(path) was stopped."
    case .misuse(let callee, let argument): "the \(callee) was given \(argument)."
    }
  }
}

extension ArchiveError {
  /// Creates the error for a failure of SQLite to read a part of an archive.
  package init(_ error: SQLiteError, reading part: Part, of path: FilePath) {
    let words =
      switch part {
      case .whole: "read"
      case .taps(nil): "read the taps of"
      case .taps(let tile?): "read the taps of tile \(tile) of"
      case .grids: "read the grids of"
      case .grid(let tile): "read the grid of tile \(tile) of"
      case .tile(let tile): "read tile \(tile) of"
      }
    self.init(error, doing: words, path: path)
  }
}

extension FileError: Failure {
  package var failureCode: FailureCode { ArchiveError.Code(cause).failureCode }

  package var sentence: String {
    "cannot \(action) \(path): \(cause).\(ArchiveError.Code(cause).remedy)"
  }
}

extension ArchiveError.Code {
  /// The remedy as a sentence with a space before it; empty where it depends on the caller.
  fileprivate var remedy: String {
    switch self {
    case .diskFull: " Free some space or choose another folder with --output."
    case .permission: " Make the folder writable or choose another one with --output."
    case .locked: " Wait for the other run to end."
    case .cannotCreate: " Create the folder or choose another one with --output."
    case .badArchive: " Build the archive again."
    case .inputOutput, .missing, .badValue, .misuse, .stopped: ""
    }
  }
}

extension Errno {
  fileprivate var isPermission: Bool { self == .permissionDenied || self == .notPermitted }
}

extension ArchiveError.FileFact {
  fileprivate var code: ArchiveError.Code {
    switch self {
    case .missing: .missing
    case .unreadable(let error): error.isPermission ? .permission : .inputOutput
    case .exists, .target, .unnamed, .notASCII: .cannotCreate
    case .noMemory: .inputOutput
    case .locked, .inUse: .locked
    case .closedFolder(_, let error): error.isPermission ? .permission : .cannotCreate
    case .volatileName(let error):
      ArchiveError.Code(error) == .diskFull ? .diskFull : .inputOutput
    case .lostCompanions(let error): ArchiveError.Code(error)
    case .unreadableSidecar(let code, _): code
    }
  }

  fileprivate func sentence(_ path: String) -> String {
    switch self {
    case .missing(let noun): "there is no \(noun) \(path)."
    case .unreadable(let error) where error.isPermission:
      "\(path) may not be read; give this user read permission."
    case .unreadable(let error): "\(path) cannot be read: \(error). Check the disk."
    case .exists: "\(path) exists already. Remove it."
    case .target(let fault): fault.sentence(FilePath(path))
    case .unnamed: "'\(path)' names no file."
    case .notASCII:
      "the file name '\(FilePath(path).lastComponent?.string ?? "")' is not plain ASCII, which some"
        + " readers need."
    case .noMemory: "cannot write \(path): there is no memory left."
    case .locked: "another run is building \(path). Wait for it to end."
    case .inUse:
      "another program has \(path) open and writes to it. Close it there, or run again later."
    case .closedFolder(let folder, .noSuchFileOrDirectory):
      "cannot create \(path): there is no folder \(folder). Create the folder or choose another one"
        + " with --output."
    case .closedFolder(let folder, .readOnlyFileSystem):
      "cannot create \(path): the folder \(folder) is on a read-only file system. Choose another one"
        + " with --output."
    case .closedFolder(let folder, _):
      "cannot create \(path): no permission to write to the folder \(folder). Make it writable or"
        + " choose another one with --output."
    case .volatileName(let error):
      "\(path) is in place, but its folder cannot be made durable: \(error). A power cut could bring"
        + " the archive before back; check the disk."
    case .lostCompanions(let error):
      "\(path) is rolled back, but not all files that describe it could be brought back: \(error)."
        + " Check the folder and the disk; the next run brings them back."
    case .unreadableSidecar(_, let cause):
      "\(path) cannot be read, so it is unknown which archive it describes"
        + "\(cause.map { " (\($0))" } ?? ""). Check its permissions and the disk."
    }
  }
}

extension ArchiveError.ContentFact {
  fileprivate func sentence(_ path: String) -> String {
    switch self {
    case .notSQLite: "\(path) is no SQLite file."
    case .notDelta: "\(path) is no delta. Make one with: quadrille diff OLD NEW -o NAME.delta."
    case .hotJournal:
      "\(path) has a journal or log beside it that holds a part of it. Let the program that writes"
        + " it finish; what a dead one left is settled by the next build, or by: sqlite3 \(path)"
        + " 'PRAGMA journal_mode=DELETE'."
    case .noTaps:
      "\(path) answers no taps: it has neither grids nor compact taps. Set 'interactivity' in the"
        + " pipeline's 'tiles' and build it again."
    case .packedTaps:
      "\(path) is a PMTiles file, which holds no taps. Ask an MBTiles archive of the same pipeline."
    case .damagedDelta(let fault): "\(path) is a damaged delta: \(fault). Get it again."
    case .damagedPMTiles(let fault), .damagedFolder(let fault): "\(path) \(fault)."
    case .damagedTaps(let part, let fault):
      "the taps of \(part.map { "\($0) in " } ?? "")\(path) are damaged: \(fault). Build the archive"
        + " again."
    case .damagedGrid(let tile, let fault):
      "the grid of tile \(tile) in \(path) \(fault). Build the archive again."
    case .misnamed(let what, let tile):
      "tile \(tile.map { "\($0)" } ?? "?") of \(path) \(what) that is not named by an MD5. Build the"
        + " archive again."
    case .misnumbered(let tile):
      "\(path) has the row of tile \(tile) under another number than its tile's. Build the archive"
        + " again."
    case .misnamedRow(let table):
      "\(path) has a row of \(table) that is not named by an MD5. Build the archive again."
    case .misnamedImage(let name):
      "\(path) is damaged: image \(name) is not named by the MD5 of its bytes. Get the whole archive"
        + " again."
    case .unshownRows(let table):
      "\(path) has \(table) that no tile shows. Build the archive again."
    case .digestMismatch(let part, isSource: false):
      "\(path) is damaged: its \(part) do not match its digest. Get the whole archive again."
    case .digestMismatch(let part, isSource: true):
      "\(path) is damaged: its \(part) are not those of which its digest was made. Take another"
        + " copy, or build it again."
    case .contradiction(let fault): "\(path) is damaged: \(fault) Take the whole archive anew."
    }
  }
}

extension ArchiveError.DeltaFact {
  fileprivate func sentence(_ path: String) -> String {
    switch self {
    case .otherStart(let delta, let ends, let state, let layout):
      "\(delta) leads from \(ends.start.short) to \(ends.end.short) in the layout"
        + " '\(ends.layout.rawValue)', but \(path) is \(state.short), '\(layout.rawValue)'. Apply"
        + " the delta that leads on from there, or take the whole archive."
    case .otherEnd(let first, let before, let after):
      "\(first) leads to \(before.end.short) in the layout '\(before.layout.rawValue)', but \(path)"
        + " starts from \(after.start.short), '\(after.layout.rawValue)'. Give deltas that follow one"
        + " another, in their order."
    case .otherForm(let old, let before, let after):
      "\(old) has \(before) and \(path) \(after): they cannot be compared. Compare archives of one"
        + " form."
    case .otherLayout(let old, let before, let after):
      "\(old) has the layout '\(before.rawValue)' and \(path) '\(after.rawValue)': no delta leads"
        + " from one to the other. Fix 'output: {layout: …}' in the pipeline."
    case .taps(let with, let without):
      "\(with) answers taps and \(without) does not: no delta leads from one to the other. Publish"
        + " the whole archive."
    case .otherTaps(let old):
      "\(old) and \(path) answer taps in different forms: no delta leads from one to the other."
        + " Publish the whole archive."
    case .unknownTable(let name):
      "\(path) holds '\(name.prefix(64))', which deltas do not carry. Publish the whole archive."
    case .foreign:
      "\(path) was not written by this version of the program: deltas lead from and to its own"
        + " archives only. Build the archive again."
    }
  }
}

extension ArchiveError.ValueFact {
  fileprivate func sentence(_ path: String) -> String {
    switch self {
    case .invalidMetadata(let fault): "the archive's metadata cannot be written: \(fault)"
    case .repeatedMetadata(let name): "the metadata of \(path) would have '\(name)' twice."
    case .largeImage(let bytes, let limit):
      "an image of \(bytes) bytes is too large; the most is \(limit)."
    case .tooManyGrids: "there are more grids than can be numbered."
    case .tooManyPages: "\(path) would have more pages than SQLite has."
    }
  }
}
