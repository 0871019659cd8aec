import Expressions
import Features
import Raster
import Testing

@testable import Painting
@testable import Scenes
@testable import Styling

@Suite("Images within text-field")
struct TextImageTests {
  private func resolver(_ field: String, _ layout: String = "", paint: String = "") throws
    -> LookResolver
  {
    let layer = try layer(
      #"""
      {"id": "a", "type": "symbol", "source": "s", "paint": {\#(paint)},
       "layout": {"text-font": ["DejaVu Sans"], "text-field": \#(field)\#(layout)
         \#(layout.contains("text-size") ? "" : #", "text-size": 24"#)}}
      """#)
    var lists = 0
    return LookResolver(
      layer, index: 0, zoom: 5, shaper: TextShaper(fonts: try fonts.get()),
      images: SampleImages.all, nextList: &lists)
  }

  private func text(
    _ field: String, _ layout: String = "", paint: String = "",
    _ values: [String: PropertyValue] = [:]
  ) throws -> TextLook? {
    try resolver(field, layout, paint: paint).looks(of: SampleFeature(values)).symbol.text
  }

  private func sprite(_ look: TextLook, scale: Int = 1) throws -> SymbolSprite {
    try SpriteFactory(scale: scale, fonts: fonts.get()).sprite(
      of: .text(look), phaseX: 0, phaseY: 0)
  }

  @Test("a section with an image has the image's own size, in ems of the text")
  func sections() throws {
    let look = try #require(
      try text(
        #"["format", "A", {}, ["image", "arrow"], {"vertical-align": "top"}, "B", {}]"#,
        #", "text-transform": "lowercase""#))
    #expect(look.sections.map(\.text) == ["a", "\u{FFFC}", "b"])
    let image = try #require(look.sections[1].image)
    #expect(image.width == 8.0 / 24 && image.height == 6.0 / 24 && image.number == 0)
    #expect(look.sections[1].verticalAlign == .top)
    #expect(look.images.map(\.name) == ["arrow"])
  }

  @Test(
    "an image is chosen by properties, and the first that is there by coalesce",
    arguments: [
      (#"["image", ["get", "k"]]"#, ["disc"]),
      (#"["coalesce", ["image", "nowhere"], ["image", "frame"]]"#, ["frame"]),
      (#"["image", "nowhere"]"#, []),
    ])
  func chosen(expression: String, names: [String]) throws {
    let resolver = try resolver(#"["format", "A", {}, \#(expression), {}]"#)
    let look = try resolver.looks(of: SampleFeature(["k": .string("disc")])).symbol.text
    #expect(look?.images.map(\.name) == names)
    #expect(resolver.values.missingImages.isEmpty == !names.isEmpty)
    #expect(resolver.layer.showsImages)
    #expect(!(try self.resolver(#""nowhere""#).layer.showsImages))
  }

  @Test("images that are not there are counted for each feature, and their label shows its text")
  func missing() throws {
    let resolver = try resolver(#"["format", ["image", ["get", "k"]], {}, "A", {}]"#)
    for kind in ["x", "x", "arrow", "y"] {
      let look = try resolver.looks(of: SampleFeature(["k": .string(kind)])).symbol.text
      #expect(look?.text.hasSuffix("A") == true)
    }
    #expect(resolver.values.missingImages.entries.map(\.name) == ["x", "y"])
    #expect(resolver.values.missingImages.entries.map(\.count) == [2, 1])
    #expect(try text(#"["format", ["image", "x"], {}]"#) == nil)
  }

  @Test("a label of one image has its pixels, a pixel to the right and three below, as in MapLibre")
  func pixels() throws {
    let sprite = try sprite(#require(try text(#"["format", ["image", "arrow"], {}]"#)))
    let arrow = SampleImages.arrow()
    #expect(sprite.originX == -4 + 1 && sprite.originY == 7 + 3 - 6)
    #expect(sprite.width == 8 && sprite.height == 6)
    #expect(sprite.pixels == arrow.pixels)
    let faded = try self.sprite(
      #require(
        try text(#"["format", ["image", "arrow"], {}]"#, paint: #""text-opacity": 0.5"#)))
    #expect(faded.pixels[0] >> 24 == 128)
  }

  @Test("the same label at density 2 has four times the pixels")
  func density() throws {
    let sprite = try sprite(
      #require(try text(#"["format", ["image", "arrow"], {}]"#)), scale: 2)
    // A sampled edge reaches half a pixel of the image beyond it.
    #expect((16...18).contains(sprite.width) && (12...14).contains(sprite.height))
  }

  @Test("a distance field has the colour and the halo of the text, and its opacity once")
  func field() throws {
    let field = #"["format", ["image", "disc"], {}]"#
    let paint = #""text-color": "lime", "text-opacity": 0.5"#
    let plain = try sprite(#require(try text(field, paint: paint)))
    let middle = plain.pixels[plain.height / 2 * plain.width + plain.width / 2]
    #expect(middle == PremultipliedColor(Color(red: 0, green: 1, blue: 0).faded(0.5)).bits)
    let haloed = try sprite(
      #require(
        try text(
          field,
          paint: #""text-color": "lime", "text-halo-color": "red", "text-halo-width": 2"#)))
    #expect(haloed.width > plain.width)
    #expect(haloed.pixels.contains(PremultipliedColor(Color(red: 1, green: 0, blue: 0)).bits))
  }

  @Test("a label that shows nothing but an invisible image is left out")
  func invisible() throws {
    let field = #"["format", ["image", "arrow"], {}]"#
    #expect(try text(field, paint: #""text-color": "rgba(0,0,0,0)""#) != nil)
    #expect(try text(field, paint: #""text-opacity": 0"#) == nil)
    let disc = #"["format", ["image", "disc"], {}]"#
    #expect(try text(disc, paint: #""text-color": "rgba(0,0,0,0)""#) == nil)
    #expect(try text(field, #", "text-size": 0"#) == nil)
  }

  @Test("images take up room and answer taps as part of their label; text-fit shrinks them with it")
  func footprint() throws {
    let footprint = LabelFootprint(scale: 1, shaper: TextShaper(fonts: try fonts.get()))
    let look = try #require(
      try text(#"["format", ["image", "arrow"], {}, ["image", "arrow"], {}]"#))
    let box = footprint.box(of: look, try footprint.size(of: look))
    #expect(box.left == -8 && box.right == 8)
    let fitted = try #require(
      try text(#"["format", ["image", "arrow"], {}, ["image", "arrow"], {}]"#, #", "text-fit": 8"#))
    #expect(fitted.style.size == 12)
    #expect(try footprint.size(of: fitted).width == 8)
  }

  @Test("a label with a vast image is vast")
  func vast() throws {
    var look = try #require(try text(#"["format", ["image", "arrow"], {}]"#))
    let vast = VastSymbols(scale: 1, shaper: TextShaper(fonts: try fonts.get()))
    #expect(try !vast.isVast(.text(look)))
    look.sections[0] = TextSection(InlineImage(number: 0, width: 50, height: 50))
    #expect(try vast.isVast(.text(look)))
  }

  @Test("every value of an image in a label that changes its pixels changes its hash")
  func hashes() throws {
    let look = try #require(try text(#"["format", ["image", "arrow"], {}]"#))
    var all = [look]
    func changed(_ change: (inout TextLook) -> Void) {
      var other = look
      change(&other)
      all.append(other)
    }
    func image(_ change: @escaping (inout InlineImage) -> Void) -> (inout TextLook) -> Void {
      { look in
        guard var image = look.sections[0].image else { return }
        change(&image)
        look.sections[0] = TextSection(image)
      }
    }
    changed { $0.images = [SampleImages.disc] }
    changed { $0.imageOpacity = 0.5 }
    changed { $0.images.append(SampleImages.disc) }
    changed(image { $0.number = 1 })
    changed(image { $0.width = 1 })
    changed(image { $0.height = 1 })
    changed(image { $0.shiftX = 1 })
    changed(image { $0.shiftY = 1 })
    changed { $0.sections[0] = TextSection("\u{FFFC}") }
    #expect(Set(all.map { Look.text($0).contentHash }).count == all.count)
  }
}
