package import Files
package import SQLite
package import SystemPackage
package import Tiling

extension ArchiveError {
  /// The problem as values; the file concerned is ``ArchiveError/path``.
  package enum Fact: Sendable {
    case system(FileError)
    /// A failure of SQLite; `doing` completes "cannot …".
    case database(SQLiteError, doing: String)
    case file(FileFact)
    case content(ContentFact)
    case delta(DeltaFact)
    case value(ValueFact)
    /// The run was stopped while it was reading, writing or comparing the file.
    case stopped(while: String)
    /// A caller passed what is not allowed there: a bug of this program.
    case misuse(of: String, given: String)
  }

  /// The part of an archive that SQLite could not read.
  package enum Part {
    case whole, grids
    case taps(of: TileCoord? = nil)
    case tile(TileCoord)
    case grid(TileCoord)
  }

  /// A fact about a file and its folder.
  package enum FileFact: Sendable {
    case missing(noun: String = "archive")
    case unreadable(Errno)
    case exists
    /// No file can be put there.
    case target(TargetFault)
    case unnamed
    case notASCII
    case noMemory
    /// Another run holds the lock.
    case locked
    /// Another program has the database open.
    case inUse
    /// No file can be created in the folder.
    case closedFolder(FilePath, Errno)
    /// The rename may be undone by a power cut.
    case volatileName(Errno)
    /// The file is rolled back, but not all of its companions.
    case lostCompanions(Errno)
    case unreadableSidecar(Code, cause: String?)
  }

  /// A fact about what a file contains.
  package enum ContentFact: Sendable {
    case notSQLite
    case notDelta
    /// A journal or log beside the file holds a part of it.
    case hotJournal
    case noTaps
    /// Taps are asked of a container that cannot hold them.
    case packedTaps
    case damagedDelta(fault: String)
    case damagedPMTiles(fault: String)
    case damagedFolder(fault: String)
    case damagedTaps(of: String? = nil, fault: String)
    case damagedGrid(TileCoord, fault: String = "is damaged")
    /// A name that should be an MD5: the clause that follows the tile or the file in the sentence,
    /// and the tile.
    case misnamed(String, tile: TileCoord?)
    case misnamedRow(table: String)
    /// The number of a row is not its tile's, although the number of the last row is.
    case misnumbered(TileCoord)
    case misnamedImage(MD5Digest)
    case unshownRows(table: String)
    /// Tiles or taps do not have the digest of the metadata.
    case digestMismatch(of: String, isSource: Bool = false)
    case contradiction(String)
  }

  /// The reason why a delta and an archive, or two archives, do not go together.
  package enum DeltaFact: Sendable {
    case otherStart(FilePath, DeltaEnds, state: ArchiveState, layout: ArchiveLayout)
    case otherEnd(FilePath, DeltaEnds, DeltaEnds)
    case otherForm(than: FilePath, String, String)
    case otherLayout(than: FilePath, ArchiveLayout, ArchiveLayout)
    case taps(FilePath, not: FilePath)
    case otherTaps(than: FilePath)
    case unknownTable(String)
    case foreign
  }

  /// The two states that a delta connects, and the layout of both.
  package struct DeltaEnds: Sendable {
    let start: ArchiveState
    let end: ArchiveState
    let layout: ArchiveLayout

    package init(start: ArchiveState, end: ArchiveState, layout: ArchiveLayout) {
      self.start = start
      self.end = end
      self.layout = layout
    }
  }

  /// A value that cannot be written.
  package enum ValueFact: Sendable {
    case invalidMetadata(fault: String)
    case repeatedMetadata(String)
    case largeImage(bytes: Int, limit: Int)
    case tooManyGrids
    case tooManyPages
  }
}
