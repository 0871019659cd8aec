import Archives
import SystemPackage

/// Lists of updates of archives and series, as files.
enum UpdatesFuzz {
  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    let folder = try ScratchFolder()
    try folder.write(Array(bytes), to: "a.updates.json")
    guard let file = UpdateFile(contentsOf: folder.path("a.updates.json")) else { return false }
    try folder.write(Array(file.text.utf8), to: "b.updates.json")
    try require(
      UpdateFile(contentsOf: folder.path("b.updates.json")) == file, "what is written again differs"
    )
    let list = UpdateList(file.list)
    if let list { try require(UpdateList(list.text) == list, "the list written again differs") }
    let series = SeriesUpdates(file.list)
    if let series {
      try require(
        SeriesUpdates(series.text)?.frames == series.frames, "the series written again differs")
    }
    _ = file.isSigned(by: list?.keys ?? series?.keys ?? [])
    return list != nil || series != nil
  }
}
