import CFreeType
import Files
import Platform
import SystemPackage

/// An open face of a font file: the owner of FreeType's handles, and all calls to it.
///
/// Only outlines in font units are loaded, never hinted, so nothing depends on a size set before.
/// Each face has its own library, since FreeType's libraries must not be shared between threads.
struct FreeTypeFace: ~Copyable {
  private let library: FT_Library
  private let face: FT_Face

  /// Opens a face of a scalable font.
  ///
  /// - Parameter index: the index of the face in a collection, from 0.
  /// - Throws: ``FontError``.
  init(path: String, index: Int = 0) throws(FontError) {
    var library: FT_Library?
    guard FT_Init_FreeType(&library) == 0, let library else {
      throw FontError(code: .library, message: "FreeType did not start; is its library intact?")
    }
    var face: FT_Face?
    errno = 0
    let status = FT_New_Face(library, path, index, &face)
    // FreeType does not report the system's error, but leaves `errno` unchanged.
    let cause = status == FT_Err_Out_Of_Memory ? Errno.noMemory : Errno(rawValue: errno)
    guard status == 0, let face else {
      FT_Done_FreeType(library)
      if cause.isOfMachine {
        throw FontError(
          code: .machine,
          message: "the font '\(path)' cannot be read: \(cause). Free what the machine lacks, or "
            + "check the disk, then run it again.", path: path)
      }
      throw FontError(
        code: .unreadable,
        message: "cannot read the font '\(path)' (FreeType error \(status)); "
          + "give a TrueType or OpenType file that exists and is whole",
        path: path)
    }
    guard face.pointee.face_flags & FT_Long(FT_FACE_FLAG_SCALABLE) != 0,
      face.pointee.units_per_EM > 0
    else {
      FT_Done_Face(face)
      FT_Done_FreeType(library)
      throw FontError(
        code: .unreadable,
        message: "the font '\(path)' has no scalable outlines; give a TrueType or OpenType file",
        path: path)
    }
    self.library = library
    self.face = face
  }

  deinit {
    FT_Done_Face(face)
    FT_Done_FreeType(library)
  }

  /// The number of faces in the file.
  var faceCount: Int { max(face.pointee.num_faces, 1) }

  var familyName: String { FreeTypeFace.string(face.pointee.family_name) }
  var styleName: String { FreeTypeFace.string(face.pointee.style_name) }
  var unitsPerEm: Int { Int(face.pointee.units_per_EM) }

  /// The highest and lowest extent of the face's lines, in font units, y upward.
  var ascender: Int { Int(face.pointee.ascender) }
  var descender: Int { Int(face.pointee.descender) }

  /// Returns the glyph of a Unicode scalar; 0 if the face lacks it.
  func glyphIndex(of scalar: Unicode.Scalar) -> UInt32 {
    FT_Get_Char_Index(face, FT_ULong(scalar.value))
  }

  /// Returns the outline of a glyph; nil if the font is damaged there.
  func outline(of glyph: UInt32) -> GlyphOutline? {
    let flags = Int32(FT_LOAD_NO_SCALE | FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP)
    guard FT_Load_Glyph(face, glyph, flags) == 0, let slot = face.pointee.glyph else { return nil }
    var result = GlyphOutline()
    result.advance = Int32(clamping: slot.pointee.advance.x)
    guard slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE else { return result }
    var callbacks = FT_Outline_Funcs(
      move_to: { FreeTypeFace.append(.move(FreeTypeFace.point($0)), to: $1) },
      line_to: { FreeTypeFace.append(.line(FreeTypeFace.point($0)), to: $1) },
      conic_to: {
        FreeTypeFace.append(.quad(FreeTypeFace.point($0), FreeTypeFace.point($1)), to: $2)
      },
      cubic_to: {
        FreeTypeFace.append(
          .cubic(FreeTypeFace.point($0), FreeTypeFace.point($1), FreeTypeFace.point($2)), to: $3)
      },
      shift: 0, delta: 0)
    let status = withUnsafeMutablePointer(to: &result) {
      FT_Outline_Decompose(&slot.pointee.outline, &callbacks, $0)
    }
    return status == 0 ? result : nil
  }

  /// The version of FreeType at run time, such as "2.12.1"; empty if it does not start.
  static let version: String = {
    var library: FT_Library?
    guard FT_Init_FreeType(&library) == 0, let library else { return "" }
    defer { FT_Done_FreeType(library) }
    var (major, minor, patch): (FT_Int, FT_Int, FT_Int) = (0, 0, 0)
    FT_Library_Version(library, &major, &minor, &patch)
    return "\(major).\(minor).\(patch)"
  }()

  private static func append(_ step: GlyphOutline.Step, to user: UnsafeMutableRawPointer?) -> Int32
  {
    guard let user else { return 1 }
    user.assumingMemoryBound(to: GlyphOutline.self).pointee.steps.append(step)
    return 0
  }

  private static func point(_ vector: UnsafePointer<FT_Vector>?) -> GlyphOutline.Point {
    guard let vector else { return GlyphOutline.Point(x: 0, y: 0) }
    return GlyphOutline.Point(
      x: Int32(clamping: vector.pointee.x), y: Int32(clamping: vector.pointee.y))
  }

  private static func string(_ name: UnsafeMutablePointer<CChar>?) -> String {
    name.map { String(cString: $0) } ?? ""
  }
}
