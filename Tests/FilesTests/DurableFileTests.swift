import Files
import SystemPackage
import TestSupport
import Testing

@Suite("Two names that are exchanged")
struct ExchangeTests {
  @Test("lead to each other's files and folders, or stay where the system cannot")
  func exchanged() throws {
    let folder = try TemporaryFolder()
    let (one, other) = (FilePath(folder.path("one")), FilePath(folder.path("other")))
    try folder.write("1", to: "one/a")
    try folder.write("2", to: "other")
    let isExchanged = try DurableFile.exchange(one, with: other)
    #expect(FileStatus(other.appending("a")) != nil || !isExchanged)
    #expect(FileStatus(one.appending("a")) != nil || isExchanged)
    #if os(Linux)
      #expect(isExchanged)
    #endif
  }

  @Test("are both there, or it is an error")
  func missing() throws {
    let folder = try TemporaryFolder()
    let one = FilePath(try folder.write("1", to: "one"))
    #expect(throws: Errno.noSuchFileOrDirectory) {
      _ = try DurableFile.exchange(one, with: FilePath(folder.path("other")))
    }
    #expect(try folder.bytes("one") == Array("1".utf8))
  }
}

@Suite("A small file that is written durably")
struct DurableFileTests {
  @Test("takes the place of the one before and leaves nothing beside it", arguments: [true, false])
  func written(isShared: Bool) throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("a"))
    for text in ["first", "second"] {
      try DurableFile.write(Array(text.utf8), to: path, isShared: isShared)
      #expect(DurableFile.read(path, limit: 6) == Array(text.utf8))
    }
    #expect(DurableFile.read(path, limit: 5) == nil)
    #expect(try folder.names() == ["a"])
  }

  @Test("belongs to its user alone where that is asked")
  func privacy() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("a/b/c"))
    try DurableFile.createPrivateFolder(path.removingLastComponent())
    try DurableFile.write([1], to: path, permissions: [.ownerReadWrite])
    #expect(try FileStatus.size(of: path) == 1)
    #expect(FileStatus(path)?.kind == .file)
    #expect(FileStatus(path.removingLastComponent())?.kind == .folder)
    #expect(throws: Errno.noSuchFileOrDirectory) { try FileStatus(of: FilePath(folder.path("b"))) }
  }
}

@Suite("A file that is pending")
struct PendingFileTests {
  @Test("appears when it is committed, and is gone when it is not")
  func committed() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("a"))
    do {
      let pending = PendingFile(path)
      try pending.write([1])
      try pending.write([2])
      #expect(!FileStatus.exists(path))
    }
    #expect(try folder.names().isEmpty)
    let pending = PendingFile(path)
    try pending.write([1])
    try pending.finish()
    try pending.commit()
    #expect(try folder.names() == ["a"])
    #expect(try folder.bytes("a") == [1])
  }
}

@Suite("A lock on a file")
struct FileLockTests {
  @Test(
    "is held by one, asks for patience, and removes its file or keeps it", arguments: [true, false])
  func held(keepsFile: Bool) throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("lock"))
    do {
      let lock = try FileLock(path, keepsFile: keepsFile)
      var asked = 0
      let error = #expect(throws: FileLock.Refusal.self) {
        try FileLock(
          path, keepsFile: keepsFile,
          patience: {
            asked += 1
            return asked < 3
          })
      }
      #expect(error == .held && asked == 3)
      withExtendedLifetime(lock) {}
    }
    #expect(FileStatus.exists(path) == keepsFile)
    #expect(throws: FileLock.Refusal.cannotOpen(.noSuchFileOrDirectory)) {
      try FileLock(FilePath(folder.path("none/lock")))
    }
  }

  @Test("ends with its object, even if a forked child still shares the open file")
  func shared() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("lock")
    var lock: FileLock? = try FileLock(FilePath(path), keepsFile: true)
    let copies = ForkedDescriptors(of: path)
    #expect(copies.count == 1 && lock != nil)
    lock = nil
    #expect(throws: Never.self) { try FileLock(FilePath(path), keepsFile: true) }
    withExtendedLifetime(copies) {}
  }
}

@Suite("The names in a folder")
struct FolderListingTests {
  @Test("come in the order of their bytes, without the folder itself and the one around it")
  func sorted() throws {
    let folder = try TemporaryFolder()
    for name in ["b", "a", "é", ".c"] { try folder.write("", to: name) }
    let path = FilePath(folder.path(""))
    #expect(try FolderListing.sortedNames(in: path, limit: 4) == [".c", "a", "b", "é"])
    #expect(Set(FolderListing.names(in: path)) == [".c", "a", "b", "é"])
    #expect(throws: FolderListing.Refusal.tooMany) {
      try FolderListing.sortedNames(in: path, limit: 3)
    }
    let missing = path.appending("none")
    #expect(FolderListing.names(in: missing).isEmpty)
    #expect(throws: FolderListing.Refusal.unreadable(.noSuchFileOrDirectory)) {
      try FolderListing.sortedNames(in: missing, limit: 3)
    }
  }
}
