import Features
import OrderedCollections
import Testing

@testable import Expressions
@testable import expression_fixture

@Suite struct PlaceTests {
  @Test(
    "an evaluation error has the operation and its place in the style",
    arguments: [
      (
        "['number', ['at', ['get', 'i'], ['get', 'list']]]",
        "[1]: Array index out of bounds: 7 > 1."
      ),
      (
        "['at', 0, ['get', 'i']]",
        "[2]: Expected value to be of type array, but found number instead."
      ),
      (
        "['number', ['get', 's']]",
        ": Expected value to be of type number, but found string instead."
      ),
      (
        "['+', 1, ['get', 's']]",
        "[2]: Expected value to be of type number, but found string instead."
      ),
      (
        "['case', ['get', 's'], 1, 2]",
        "[1]: Expected value to be of type boolean, but found string instead."
      ),
      (
        "['match', 'a', 'a', ['number', ['get', 's']], 0]",
        "[2]: Expected value to be of type number, but found string instead."
      ),
      (
        "['!', ['<', ['get', 'i'], ['get', 's']]]",
        "[1]: Expected arguments for \"<\" to be (string, string) or (number, number), but found "
          + "(number, string) instead."
      ),
      (
        "['!', ['<', ['get', 's'], 3]]",
        "[1]: Expected value to be of type number, but found string instead."
      ),
      ("['to-rgba', ['get', 's']]", "[1]: Could not parse color from value 'word'"),
      ("['to-string', ['to-number', ['get', 's']]]", "[1]: Could not convert \"word\" to number."),
      (
        "['to-string', ['rgb', 1, 2, ['get', 'big']]]",
        "[1]: Invalid rgba value [1, 2, 900, 1]: 'r', 'g', and 'b' must be between 0 and 255."
      ),
      (
        "['+', 1, ['length', ['get', 'i']]]",
        "[2]: Expected value to be of type string or array, but found number instead."
      ),
      ("['to-string', ['slice', ['get', 'i'], 1]]", "[1]: Expected first argument"),
      ("['!', ['in', 1, ['get', 'i']]]", "[1]: Expected second argument"),
      ("['-', ['index-of', ['get', 'list'], 'x']]", "[1]: Expected first argument"),
      ("['to-string', ['error', 'stop']]", "[1]: stop"),
      ("['number-format', 1, {'currency': ['get', 's']}]", ": Invalid currency code : word"),
    ])
  func place(expression: String, expected: String) {
    let fixture = """
      {'expression': \(expression), 'rootKey': 'layers[2].layout.x',
       'inputs': [[{}, {'properties': {'i': 7, 's': 'word', 'big': 900, 'list': [1, 2]}}]]}
      """
    guard case .object(let answer) = ExpressionFixture.run(json: TestJSON.parse(fixture)),
      case .array(let outputs)? = answer["outputs"], case .object(let output)? = outputs.first,
      case .string(let message)? = output["error"]
    else {
      Issue.record("no error: \(expression)")
      return
    }
    #expect(message.hasPrefix("layers[2].layout.x\(expected)"), "\(message)")
  }

  @Test("positions of a tile's features are rounded to the tile's steps")
  func steps() {
    // A degree is 5.7 steps of tile 0/0/0 … 182 of tile 3, so the point moves onto the edge.
    let square =
      "{'type': 'Polygon', 'coordinates': [[[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]]}"
    func run(_ tile: String, _ longitude: Double) -> String {
      ExpressionFixture.run(
        json: TestJSON.parse(
          """
          {'expression': ['within', \(square)], 'inputs':
           [[{\(tile)}, {'geometry': {'type': 'Point', 'coordinates': [\(longitude), 5]}}]]}
          """)
      ).json
    }
    #expect(run("'canonicalID': {'z': 0, 'x': 0, 'y': 0}", 0.01).hasSuffix("[false]}"))
    #expect(run("'canonicalID': {'z': 9, 'x': 0, 'y': 0}", 0.01).hasSuffix("[true]}"))
    #expect(run("", 0.01).hasSuffix("[false]}"))
  }
}
