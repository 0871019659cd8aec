import Features

extension ZipDirectory {
  /// The maximum number of members that a message lists.
  private static let listed = 8

  /// Returns the member with a name, or the only readable one.
  ///
  /// - Parameters:
  ///   - name: the name; `nil` for the only one that can be read.
  ///   - endings: the endings of the names of files that can be read, in lower case.
  ///   - file: the zip file, for the message's example.
  func member(
    named name: String?, endings: [String], in file: String
  ) throws(UnpackFault) -> ZipMember {
    if let name { return try member(named: name) }
    let contents = members.filter(\.isContent)
    let readable = ZipContents.data(
      among: contents.filter { member in
        let name = member.name.lowercased()
        return endings.contains { name.hasSuffix($0) }
      }, named: \.name)
    if readable.count == 1 { return readable[0] }
    if readable.isEmpty, contents.count == 1 { return contents[0] }
    guard !contents.isEmpty else { throw UnpackFault("holds no file (zip)") }
    let choices = readable.isEmpty ? contents : readable
    let what =
      readable.isEmpty
      ? "holds no file whose name ends with \(endings.joined(separator: " or ")), but "
      : "holds several files: "
    throw UnpackFault(
      "\(what)\(Self.list(choices)). Name one: 'data: \(file)/\(choices[0].name)'", .configuration)
  }

  private func member(named name: String) throws(UnpackFault) -> ZipMember {
    let found = members(named: name)
    guard found.count <= 1 else {
      throw UnpackFault("holds '\(name)' \(found.count) times; only one can be meant")
    }
    if let member = found.first { return member }
    let contents = members.filter(\.isContent)
    throw UnpackFault(
      contents.isEmpty
        ? "holds no file (zip)"
        : "holds no '\(name)'. Name one of its files: \(Self.list(contents))", .configuration)
  }

  private static func list(_ members: [ZipMember]) -> String {
    members.prefix(listed).map(\.name).joined(separator: ", ")
      + (members.count > listed ? " and \(members.count - listed) more" : "")
  }
}
