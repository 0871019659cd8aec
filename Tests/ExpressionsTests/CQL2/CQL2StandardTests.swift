import Features
import OrderedCollections
import Testing

@testable import Expressions

/// The forms of the examples in the standard (OGC 21-065r2: clauses 6 to 8 and annex C), on records
/// of our own.
@Suite struct CQL2StandardTests {
  private static let scene = """
    {'eo:cloud': 0.1, 'landsat:row': 28, 'landsat:path': 203, 'eo:instrument': 'OLI_TIRS',
     'scene': 'LC8203', 'beam': 'ScanSAR Narrow', 'polarization': 'HH+VV'}
    """
  private static let building = """
    {'floors': 6, 'pool': true, 'material': 'red brick', 'owner': 'Mike Jones', 'taxes': 500,
     'built': '2014-06-01', 'height': 12.5, 'clearance': 13, 'side': 5, 'area': 25, 'none': null,
     'AND': 1}
    """
  private static let event = """
    {'at': '1969-07-20T20:17:40Z', 'from': '2017-06-10T08:00:00Z', 'to': '2017-06-11T10:00:00Z',
     'day': '2017-06-10', 'name': 'Straße des 17. Juni', 'state': 'débárquér', 'text': '100%_ab'}
    """

  @Test(
    "CQL2 reads properties with colons and dots, comparisons, lists, ranges",
    arguments: [
      ("scene = 'LC8203'", "T"), ("eo:instrument LIKE 'OLI%'", "T"),
      ("landsat:path IN (203, 204)", "T"), ("landsat:path NOT IN (203, 204)", "F"),
      ("eo:cloud < 0.2 AND landsat:row=28 AND landsat:path=203", "T"),
      ("eo:cloud=0.1 OR eo:cloud=0.2", "T"), ("eo:cloud IN (0.1,0.2)", "T"),
      ("eo:cloud BETWEEN 0.1 AND 0.2 AND landsat:row=28", "T"),
      ("eo:cloud BETWEEN 0.1 and 0.2 and landsat:row=28 and landsat:path=204", "F"),
      ("eo:cloud >= 0.1 AND eo:cloud <= 0.1E0", "T"), ("1e-1 = eo:cloud", "T"),
      ("beam='ScanSAR Narrow' AND polarization='HH+VV' AND nothing='x'", "U"),
      ("\"eo:cloud\" = .1", "T"), ("NOT (landsat:row <> 28)", "T"), ("landsat:row > -28", "T"),
    ])
  func scenes(condition: String, truth: String) throws {
    #expect(try CQL2Record(json: Self.scene).truth(of: condition) == truth)
  }

  @Test(
    "AND binds more tightly than OR, NOT than both, arithmetic than comparison",
    arguments: [
      ("floors>5", "T"), ("taxes <= 500", "T"), ("owner LIKE '%Jones%'", "T"),
      ("owner NOT LIKE '%Mike%'", "F"), ("NOT owner LIKE '%Mike%'", "F"), ("pool = true", "T"),
      ("pool = TRUE AND (floors>9 OR material LIKE 'brick%' OR material LIKE '%brick')", "T"),
      ("(floors>5 AND material='brick') OR pool=true", "T"),
      ("NOT (floors<5) OR pool=false", "T"), ("NOT floors<5 AND pool=false", "F"),
      ("pool=true OR floors<5 AND floors<4", "T"), ("(pool=true OR floors<5) AND floors<4", "F"),
      ("height < clearance - 1", "F"), ("height > (clearance - 1)", "T"),
      ("area = side^2", "T"), ("area = side ^ 2 * 1", "T"), ("2 ^ 3 ^ 2 = 512", "T"),
      ("2 + 3 * 4 = 14", "T"), ("(2 + 3) * 4 = 20", "T"), ("10 - 4 - 3 = 3", "T"),
      ("100 / 10 / 5 = 2", "T"), ("7 DIV 2 = 3", "T"), ("7 % 4 = 3", "T"),
      ("2 * 3 % 4 = 2", "T"), ("-floors = 0 - 6", "T"), ("floors * -1 = -6", "T"),
      ("floors BETWEEN side AND side + 1", "T"), ("floors NOT BETWEEN 7 AND 9", "T"),
      ("1 < floors AND floors < none", "U"), ("none IS NULL AND nosuch IS NULL", "T"),
      ("floors IS NOT NULL", "T"), ("NOT floors IS NULL", "T"), ("none = none", "U"),
      ("\"AND\" = 1", "T"),
      ("'O''Neill' > 'O'", "T"), ("'a' <> 'A'", "T"), ("true", "T"), ("FALSE", "F"),
      ("pool", "T"), ("NOT pool", "F"), ("(floors > 5) = pool", "T"), ("taxes = '500'", "U"),
    ])
  func buildings(condition: String, truth: String) throws {
    #expect(try CQL2Record(json: Self.building).truth(of: condition) == truth)
  }

  @Test(
    "CQL2 compares instants and intervals",
    arguments: [
      ("at >= DATE('1970-01-01')", "F"), ("at < date('1970-01-01')", "T"),
      ("day = DATE('2017-06-10')", "T"), ("day <> TIMESTAMP('2017-06-10T00:00:00Z')", "F"),
      ("at BETWEEN TIMESTAMP('1969-07-16T13:32:00Z') AND TIMESTAMP('1969-07-24T16:50:35Z')", "T"),
      ("day IN (DATE('2017-06-10'), DATE('2018-01-01'))", "T"),
      ("T_INTERSECTS(at, INTERVAL('1969-07-16T05:32:00Z', '1969-07-24T16:50:35Z'))", "T"),
      (
        "T_DURING(INTERVAL(from, to), INTERVAL('2017-06-10T07:30:00Z', '2017-06-11T10:30:00Z'))",
        "T"
      ),
      ("t_during(INTERVAL(to, from), INTERVAL('2017-06-10', '2017-06-12'))", "U"),
      ("T_CONTAINS(INTERVAL('2017-01-01', '..'), INTERVAL(from, to))", "T"),
      ("T_DISJOINT(INTERVAL('..', '2005-01-10T01:01:01.393216Z'), INTERVAL(from, to))", "T"),
      ("T_MEETS(INTERVAL(from, to), INTERVAL('2017-06-11T10:00:00Z', '..'))", "T"),
      ("T_METBY(INTERVAL('2017-06-11T10:00:00Z', '2018-01-01'), INTERVAL(from, to))", "T"),
      (
        "T_STARTS(INTERVAL('2017-06-10T08:00:00Z', '2017-06-10T09:00:00Z'), INTERVAL(from, to))",
        "T"
      ),
      (
        "T_FINISHES(INTERVAL('2017-06-10T09:00:00Z', '2017-06-11T10:00:00Z'), INTERVAL(from, to))",
        "T"
      ),
      ("T_OVERLAPS(INTERVAL('2017-06-01', '2017-06-11'), INTERVAL(from, to))", "T"),
      ("T_AFTER(at, DATE('1969-07-20'))", "T"), ("T_BEFORE(at, DATE('2012-08-10'))", "T"),
      ("T_EQUALS(day, DATE('2017-06-10'))", "T"), ("T_EQUALS(day, DATE('1851-04-29'))", "F"),
      ("T_AFTER(name, DATE('2012-08-10'))", "U"), ("T_BEFORE(nosuch, DATE('2012-08-10'))", "U"),
    ])
  func events(condition: String, truth: String) throws {
    #expect(try CQL2Record(json: Self.event).truth(of: condition) == truth)
  }

  @Test(
    "CQL2 folds case and accents, and patterns escape characters",
    arguments: [
      (#"CASEI(name) LIKE casei('STRASSE%')"#, "T"), ("CASEI(name) = 'straße des 17. juni'", "F"),
      ("casei(name) IN (CASEI('x'), casei('STRASSE DES 17. JUNI'))", "T"),
      ("ACCENTI(state) = ACCENTI('debarquer')", "T"), ("accenti(state) = 'debarquer'", "T"),
      ("ACCENTI(CASEI(state)) = accenti(casei('DÉBARQUER'))", "T"),
      ("CASEI(ACCENTI(state)) LIKE casei(accenti('DÉB%'))", "T"), ("state = 'debarquer'", "F"),
      ("CASEI(nosuch) = casei('x')", "U"), (#"text LIKE '100\%\_ab'"#, "T"),
      (#"text LIKE '100\%%'"#, "T"), (#"text LIKE '100\_%'"#, "F"), ("text LIKE ''", "F"),
      ("text LIKE '%%'", "T"), ("text LIKE '_%'", "T"), ("state LIKE '_________'", "T"),
      ("name ILIKE 'strasse%'", "T"), ("nosuch LIKE '%'", "U"),
    ])
  func texts(condition: String, truth: String) throws {
    #expect(try CQL2Record(json: Self.event).truth(of: condition) == truth)
  }

  @Test(
    "CQL2 evaluates relations of geometries",
    arguments: [
      ("S_INTERSECTS(geometry, POINT(2 2))", "T"), ("S_INTERSECTS(geometry,POINT(9 9))", "F"),
      ("s_intersects(POINT(2 2), footprint)", "T"),
      ("S_INTERSECTS(geom, BBOX(-128.1, -1.1, -99999.0, 180.0, 90.0, 100000.0))", "T"),
      ("S_INTERSECTS(geometry, BBOX(160.6, -55.95, -170, -25.89))", "F"),
      ("S_WITHIN(location, BBOX(-1, -1, 5, 5))", "T"), ("S_WITHIN(location,BBOX(0,0,4,4))", "T"),
      ("S_WITHIN(location, BBOX(1, 0, 5, 5))", "F"),
      ("S_DISJOINT(\"geometry\", MULTIPOLYGON (((7 7, 9 7, 9 9, 7 7))))", "T"),
      ("S_CONTAINS(geometry, POINT (1 1))", "T"), ("S_CONTAINS(geometry, POINT(0 0))", "F"),
      ("S_CONTAINS(geometry, LINESTRING(1 1, 3 3))", "T"),
      ("S_CONTAINS(geometry, MULTIPOINT(1 1, 3 3))", "T"),
      ("S_CONTAINS(geometry, MULTIPOINT((1 1), (5 5)))", "F"),
      ("S_EQUALS(POLYGON((4 4, 0 4, 0 0, 4 0, 4 4)), geometry)", "T"),
      ("S_WITHIN(POLYGON Z ((1 1 9, 2 1 9, 2 2 9, 1 1 9)), geometry)", "T"),
      ("S_INTERSECTS(geometry, LINESTRING(-10 -4, 10 -4))", "F"),
      ("S_INTERSECTS(geometry, MULTILINESTRING((-9 -4, 9 -4), (-9 3, 9 3)))", "T"),
      ("S_INTERSECTS(geometry, GEOMETRYCOLLECTION(POINT(9 9), LINESTRING(3 3, 8 8)))", "T"),
      (
        "S_INTERSECTS(geometry, POLYGON((-9 -9, 9 -9, 9 9, -9 9, -9 -9), "
          + "(-1 -1, -1 5, 5 5, 5 -1, -1 -1)))", "F"
      ),
      ("floors > 5 AND S_WITHIN(geometry, BBOX(-1, -1, 5, 5))", "U"),
      (
        "S_INTERSECTS(geometry, BBOX(-180,-90,180,90)) AND NOT S_DISJOINT(geometry, POINT(1 1))",
        "T"
      ),
    ])
  func places(condition: String, truth: String) throws {
    let record = CQL2Record(at: .polygon([0, 0, 4, 0, 4, 4, 0, 4, 0, 0]))
    #expect(try record.truth(of: condition) == truth)
    #expect(
      try CQL2Record().truth(of: condition.replacing("floors > 5 AND ", with: "")) == "U")
  }

  @Test(
    "unsupported functions of the CQL2 standard are refused by name",
    arguments: [
      ("S_TOUCHES(geometry, BBOX(0,0,1,1))", "S_TOUCHES"),
      ("S_CROSSES(LINESTRING(0 0, 1 1), POLYGON((0 0, 1 0, 1 1, 0 0)))", "S_CROSSES"),
      ("S_OVERLAPS(geometry, BBOX(0,0,1,1))", "S_OVERLAPS"),
      ("A_CONTAINS(layer:ids, ('a','b'))", "A_CONTAINS"), ("avg(speed) < 4", "'avg'"),
      ("S_WITHIN(road, Buffer(geometry, 10, 'm'))", "BBOX"),
      ("S_INTERSECTS(geometry, POINT(90 180))", "latitude"), ("x = NULL", "IS NULL"),
      ("textfield BETWEEN 'a' AND 1", "cannot be compared"), ("a = b = c", "do not chain"),
      ("a LIKE b", "pattern"), ("t > DATE('2012-13-01')", "DATE"),
      ("t > TIMESTAMP('2012-01-01')", "TIMESTAMP"), ("INTERVAL('..', '..') = t", "INTERVAL"),
    ])
  func refused(condition: String, word: String) {
    do throws(CQL2Error) {
      _ = try CompiledFilter.compile(cql2: condition)
      Issue.record("compiled")
    } catch {
      #expect(error.message.contains(word), "\(error.message)")
    }
  }
}
