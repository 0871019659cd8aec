import Expressions
import Features
import OrderedCollections
import Raster
import Testing
@testable import Rendering

@Test func scratch() throws {
  let fonts = try FontLibrary()
  let n = { PropertyValue.number($0) }
  func arr(_ v: PropertyValue...) -> PropertyValue { .array(v) }
  let radius = arr("-", arr("/", arr("round", arr("/", n(44), arr("+", n(1), arr("^", arr("e"), arr("*", n(-0.3), arr("^", arr("coalesce", arr("get","point_count"), n(1)), n(0.4))))))), n(2)), n(4))
  let layers: [PropertyValue] = [
    .object(["id":"a","type":"circle","source":"h","paint":.object(["circle-radius":radius,"circle-opacity":n(0),"circle-stroke-color":"rgba(0,0,0,0.25)","circle-stroke-width":n(2.5)])]),
    .object(["id":"b","type":"circle","source":"h","paint":.object(["circle-radius":radius,"circle-color":"rgb(255,95,42)","circle-stroke-color":"white","circle-stroke-width":n(2)])]),
    .object(["id":"c","type":"symbol","source":"h","layout":.object(["text-field":arr("to-string",arr("coalesce",arr("get","point_count_abbreviated"),n(1))),"text-font":arr("DejaVu Sans Bold"),"text-size":n(12),"text-fit":arr("/",arr("*",n(2),arr("+",radius,n(4))),n(1.3)),"text-allow-overlap":.bool(true)]),"paint":.object(["text-color":"rgba(0,0,0,0.75)","text-translate":arr(n(0),n(-1))])]),
    .object(["id":"d","type":"symbol","source":"h","layout":.object(["text-field":arr("to-string",arr("coalesce",arr("get","point_count_abbreviated"),n(1))),"text-font":arr("DejaVu Sans Bold"),"text-size":n(12),"text-fit":arr("/",arr("*",n(2),arr("+",radius,n(4))),n(1.3)),"text-allow-overlap":.bool(true)]),"paint":.object(["text-color":"white"])]),
  ]
  let style = Style(layers: try layers.map { try StyleLayer($0, sources: ["h"]) })
  let factory = SpriteFactory(scale: 1, fonts: fonts)
  let sparse = try SparseStyle.trained(for: style, size: 256, background: 0, zooms: 0...16, clusteredSources: ["h"], fonts: fonts, factory: factory)
  print("palette", sparse?.palette.colors.count ?? -1)
  guard let sparse else { return }
  var lists = 0
  let shaper = TextShaper(fonts: fonts)
  let group = style.layers(of: "h").map { LookResolver(style.layers[$0], index: $0, zoom: 16, shaper: shaper, nextList: &lists) }
  for count in [1.0, 2, 3, 8, 11, 37, 412, 2345] {
    let stack = try SymbolResolver.stack(of: SpecimenFeature(count == 1 ? [:] : ["point_count": .number(count), "point_count_abbreviated": FeatureView.abbreviated(Int(count))]), group)
    let sprite = try factory.sprite(of: stack, hash: StableHash(), phaseX: 0, phaseY: 0)
    var m = PaletteMatcher(sparse.palette)
    let bad = sprite.composite.pixels.filter { $0 >> 24 != 0 && m.index(of: $0) & 0x100 != 0 }
    print(count, stack.count, sprite.composite.width, "bad", bad.count, bad.prefix(4).map { String($0, radix: 16) })
    if count == 1 { print(stack) }
  }
}
extension PropertyValue: ExpressibleByStringLiteral { public init(stringLiteral s: String) { self = .string(s) } }
