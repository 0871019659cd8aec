/// The layers that `ogrinfo` lists.
struct LayerList: Equatable {
  /// The name of the driver.
  var driver = ""

  /// The names in the order of the file.
  var names: [String] = []

  /// - Parameter text: lines such as `1: hotels (3D Point)`, after one with the driver.
  init(_ text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      if let found = line.wholeMatch(of: /\s*using driver `(.*)' successful\.?/) {
        driver = String(found.1)
      } else if let found = line.wholeMatch(of: /\d+: (.*)/) {
        names.append(Self.name(found.1))
      }
    }
  }

  /// Removes the types of geometries after a name.
  private static func name(_ text: Substring) -> String {
    let type =
      /(.*?)(?: \[private\])?(?: \((?:[\w ]*(?:Point|Line String|Polygon|Collection|Curve|Surface|Geometry|None|TIN|Triangle)[\w ]*(?:, )?)+\))?/
    return String(text.wholeMatch(of: type)?.1 ?? text)
  }
}
