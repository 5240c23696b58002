import Foundation
import HelixCalendar
import HelixModel
import TestSupport
import Testing

/// All pieces of a stream that comes in chunks of `size` bytes.
func pieces(_ text: String, size: Int) throws -> [String] {
    var rest = Array(text.utf8)[...]
    var reader = ICalendarReader {
        defer { rest = rest.dropFirst(size) }
        return Array(rest.prefix(size))
    }
    var found: [String] = []
    while let piece = try reader.next() {
        switch piece {
        case .calendarBegin(let line): found.append("begin \(line)")
        case .calendarEnd(let line): found.append("end \(line)")
        case .calendarProperty(let property, let line): found.append("\(line) \(property.line)")
        case .component(let raw):
            found.append("\(raw.line) \(raw.name) \(raw.uid ?? "-") \(String(decoding: raw.text, as: UTF8.self))")
        case .defect(let defect): found.append("defect \(defect.line) \(defect.part): \(defect.reason)")
        }
    }
    return found
}

@Suite struct ICalendarReaderTests {
    private let sample = """
        BEGIN:VCALENDAR\r
        X-WR-CALNAME:Näme\r
        BEGIN:VEVENT\r
        UID:a\r
        SUMMARY:folded in t\r
         he middle\r
        X-THING;P="a:b":c\r
        BEGIN:VALARM\r
        TRIGGER:-PT5M\r
        END:VALARM\r
        END:VEVENT\r
        END:VCALENDAR\r

        """

    @Test(arguments: 1...40)
    func theSizeOfTheChunksDoesNotMatter(size: Int) throws {
        #expect(try pieces(sample, size: size) == pieces(sample, size: 1_000_000))
    }

    @Test func foldsAreUndoneAndLinesKeepTheirNumbers() throws {
        let found = try pieces(sample, size: 7)
        #expect(found.contains { $0.hasPrefix("3 VEVENT a") && $0.contains("\nSUMMARY:folded in the middle\n") })
        #expect(found.contains("2 X-WR-CALNAME:Näme"))
    }

    @Test func aFileThatEndsInsideAnEventIsNamed() throws {
        let found = try pieces("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:x\nSUMMARY:cut o", size: 100)
        #expect(found.contains("defect 2 VEVENT: the file ends inside it (line 4)"))
    }

    @Test func aMissingEndCostsOneEventOnly() throws {
        let found = try pieces(
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:x\nBEGIN:VEVENT\nUID:y\nEND:VEVENT\nEND:VCALENDAR\n", size: 100)
        #expect(found.contains { $0.contains("VEVENT: it has no END") })
        #expect(found.contains { $0.hasPrefix("4 VEVENT y") })
    }

    @Test func deepNestingIsRefusedNotFollowed() throws {
        let deep = String(repeating: "BEGIN:X\n", count: 200_000)
        let found = try pieces("BEGIN:VCALENDAR\nBEGIN:VEVENT\n" + deep, size: 65_536)
        #expect(found.contains { $0.hasPrefix("defect 2 VEVENT") })
    }

    @Test func bytesThatAreNotUTF8AreTakenAsWindowsText() throws {
        var rest: [UInt8] = Array("BEGIN:VEVENT\nSUMMARY:caf".utf8) + [0xE9, 0x80] + Array("\nEND:VEVENT\n".utf8)
        var reader = ICalendarReader {
            defer { rest = [] }
            return rest
        }
        guard case .component(let raw)? = try reader.next() else {
            Issue.record("no component")
            return
        }
        #expect(String(decoding: raw.text, as: UTF8.self).contains("SUMMARY:café€"))
    }

    @Test func foldingGivesLinesOfAtMost75OctetsAndLosesNothing() {
        var writer = ICalendarWriter()
        let line = "SUMMARY:" + String(repeating: "会議é👍x", count: 50)
        writer.line(line)
        let lines = String(decoding: writer.take(), as: UTF8.self).components(separatedBy: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 75 })
        #expect(
            lines.dropLast().enumerated().map { $0.offset == 0 ? $0.element : String($0.element.dropFirst()) }.joined()
                == line)
    }

    @Test func textEscapesAreUndoneAndMadeAgain() {
        #expect(ICalendarProperty(line: "SUMMARY:a\\, b\\; c\\\\d\\ne")?.text == "a, b; c\\d\ne")
        for text in ["a, b; c\\d\ne", "", "\\n", ";;", "é\n\n"] {
            #expect(ICalendarProperty.unescaped(ICalendarProperty.escaped(text)) == text)
        }
        #expect(ICalendarProperty(line: "CATEGORIES:a\\,b,c")?.texts == ["a,b", "c"])
    }

    @Test func parametersMayBeQuotedAndEncoded() {
        let property = ICalendarProperty(line: "ATTENDEE;CN=\"Rossi; Ana\";X=a^nb,c:mailto:ana@example.com")
        #expect(property?["CN"] == "Rossi; Ana")
        #expect(property?.parameters.last?.values == ["a\nb", "c"])
        #expect(property?.line == "ATTENDEE;CN=\"Rossi; Ana\";X=a^nb,c:mailto:ana@example.com")
    }
}

@Suite(.enabled(if: Corpora.isAvailable, "needs the corpora"))
struct ICalendarCorpusTests {
    static let files: [String] = {
        guard let folder = Corpora.directory else { return [] }
        return ["ics/parse", "ics/malformed", "ics/recur"].flatMap { part in
            ((try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(part).path)) ?? [])
                .sorted()
                .map { "\(part)/\($0)" }
        }
    }()

    /// What two engines agree on for a file.
    struct Expected: Decodable {
        struct Engine: Decodable {
            struct Item: Decodable {
                let kind: String
                let uid: String?
                let summary: String?

                enum CodingKeys: String, CodingKey {
                    case kind
                    case uid = "UID"
                    case summary = "SUMMARY"
                }
            }
            let calendars: Int?
            let counts: [String: Int]?
            let items: [Item]?
        }
        let enginesAgree: Bool?
        let pythonIcalendar73: Engine?
    }

    @Test(arguments: files)
    func noFileCrashesOrHangsAndEventsAreReadOnceAsOtherEnginesDo(_ name: String) throws {
        let data = try Corpora.data(name)
        var rest = Array(data)[...]
        var reader = CalendarFileReader {
            defer { rest = rest.dropFirst(1000) }
            return Array(rest.prefix(1000))
        }
        var uids: [String] = []
        var titles: [String] = []
        while let part = try reader.next() {
            guard case .events(let group) = part else { continue }
            for raw in group.components {
                uids.append(group.uid)
                if let component = try? EventComponent(raw.text, zones: group.zones) {
                    titles.append(component.title)
                    for instance in EventSeries([component]).instances().prefix(100) {
                        #expect(instance.end >= instance.start)
                    }
                }
            }
        }
        guard name.hasPrefix("ics/parse") else { return }
        let all = try Corpora.json("ics/parse_expected.json", as: [String: Expected].self)
        let expected = try #require(all[String(name.dropFirst(10))])
        guard expected.enginesAgree == true, let engine = expected.pythonIcalendar73, let counts = engine.counts,
            // Where the engines agree on reading nothing, helix may read more.
            engine.calendars != 0 || counts.isEmpty == false,
            // An event inside a component of somebody's own is that component's business.
            !name.contains("custom_component_contains_other")
        else { return }
        #expect(uids.count == counts["VEVENT"] ?? 0)
        let items = (expected.pythonIcalendar73?.items ?? []).filter { $0.kind == "VEVENT" }
        let known = Set(uids)
        for item in items { if let uid = item.uid { #expect(known.contains(uid.trimmingBlanks())) } }
    }
}
