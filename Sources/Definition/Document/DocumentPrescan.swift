import Runs

/// A check of YAML text before it is parsed, which refuses text that would be slow to parse.
///
/// Yams hashes every key with its whole content, so keys that are nested lists or objects cost
/// depth × size: minutes for a file of one mebibyte. No pipeline has such keys. Quoted texts,
/// comments and block texts are skipped.
///
/// - Complexity: O(*n*).
struct DocumentPrescan {
  private let scalars: [Unicode.Scalar]
  private let file: String
  private let limits: DocumentLimits
  private var index = 0

  /// The open brackets: for each, whether it is a brace and whether a key comes next.
  private var open: [(isObject: Bool, awaitsKey: Bool)] = []

  /// The last character that is not a blank.
  private var last: Unicode.Scalar = "\n"

  init(text: String, file: String, limits: DocumentLimits) {
    scalars = Array(text.unicodeScalars)
    self.file = file
    self.limits = limits
  }

  /// Throws for a key that is a list or an object and for brackets that are nested too deeply.
  mutating func run() throws(PipelineError) {
    while index < scalars.count {
      let scalar = scalars[index]
      try look(at: scalar)
      if scalar != " ", scalar != "\t", scalar != "\r" { last = scalar }
      index += 1
    }
  }

  private mutating func look(at scalar: Unicode.Scalar) throws(PipelineError) {
    switch scalar {
    case "{", "[": if !open.isEmpty || isAtStart || last == ":" { try openBracket(scalar) }
    case "}", "]": _ = open.popLast()
    case ",": if let top = open.last { open[open.count - 1].awaitsKey = top.isObject }
    case ":":
      let isMark = !open.isEmpty || isBlank(index + 1)
      if isMark, last == "}" || last == "]" { throw collectionKey() }
      if !open.isEmpty { open[open.count - 1].awaitsKey = false }
    case "?": if isAtStart, isBlank(index + 1) { throw collectionKey() }
    case "\"", "'": if isAtStart || last == ":" { skipQuote() }
    case "#": if isBlank(index - 1) { skipComment() }
    case "|", ">": if open.isEmpty, isAtStart || last == ":" { skipBlockText() }
    default: break
    }
  }

  private mutating func openBracket(_ scalar: Unicode.Scalar) throws(PipelineError) {
    if open.last?.awaitsKey == true { throw collectionKey() }
    open.append((isObject: scalar == "{", awaitsKey: scalar == "{"))
    if open.count > limits.depth { throw limits.tooDeep(at: place) }
  }

  /// Whether a value may begin here, judging by the last character.
  private var isAtStart: Bool {
    switch last {
    case "\n", "-", "?", "[", "{": true
    case ",": !open.isEmpty
    default: false
    }
  }

  /// Whether no visible character stands at an index.
  private func isBlank(_ index: Int) -> Bool {
    guard scalars.indices.contains(index) else { return true }
    return [" ", "\t", "\n", "\r"].contains(scalars[index])
  }

  // MARK: Passing over

  /// Moves to the closing quote; stays if there is none.
  private mutating func skipQuote() {
    let quote = scalars[index]
    var end = index + 1
    while end < scalars.count, scalars[end] != quote {
      end += quote == "\"" && scalars[end] == "\\" ? 2 : 1
    }
    if end < scalars.count { index = end }
  }

  private mutating func skipComment() {
    while index + 1 < scalars.count, scalars[index + 1] != "\n" { index += 1 }
  }

  /// Moves to the end of the lines that are indented more deeply than the key of this one.
  private mutating func skipBlockText() {
    var end = index + 1
    while end < scalars.count, scalars[end] != "\n" {
      // Anything but an indicator or a comment makes this an ordinary text.
      if scalars[end] == "#" { break }
      guard "+-0123456789 \t\r".unicodeScalars.contains(scalars[end]) else { return }
      end += 1
    }
    let indent = keyIndent
    while end < scalars.count, scalars[end] != "\n" { end += 1 }
    while end < scalars.count {
      var next = end + 1
      while next < scalars.count, scalars[next] == " " { next += 1 }
      let isEmpty = next >= scalars.count || scalars[next] == "\n" || scalars[next] == "\r"
      guard isEmpty || next - end - 1 > indent else { break }
      while next < scalars.count, scalars[next] != "\n" { next += 1 }
      end = next
    }
    index = end - 1
  }

  /// The column of the key of this line, counted from 0: the dashes of lists count as indentation.
  private var keyIndent: Int {
    let start = lineStart
    var column = start
    while column < index, scalars[column] == " " || scalars[column] == "-" { column += 1 }
    return column == index ? max(column - start - 2, -1) : column - start
  }

  // MARK: Places

  private var lineStart: Int {
    scalars[..<index].lastIndex(of: "\n").map { $0 + 1 } ?? 0
  }

  private var place: DocumentPlace {
    let line = scalars[..<index].reduce(1) { $1 == "\n" ? $0 + 1 : $0 }
    return DocumentPlace(file: file, line: line, column: index - lineStart + 1)
  }

  private func collectionKey() -> PipelineError {
    place.fault("a key must be a text, not a list or an object.")
  }
}
