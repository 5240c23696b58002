import Foundation
import HelixModel
import TestSupport
import Testing

@testable import HelixModel

/// JSON and zone files of strangers.
@Suite struct ModelFuzzTests {
    /// What is read is written as JSON that Foundation reads and that is read as the same; what Foundation refuses is refused.
    @Test func jsonIsReadAsOthersReadIt() {
        let samples = [
            #"{"a": [1, -2.5e10, true, null, {"b": "é\u00e9\ud83d\ude00\n"}], "": ""}"#,
            "[[[[]]], 0.1, 1E-7, \"\\\\\"]",
            #"{"type":"res","id":"7","ok":true,"payload":{"events":[{"seq":12}]}}"#, "\"a\"", "-0", " [ ] ",
        ]
        let words = [
            "{", "}", "[", "]", ",", ":", "\"", "\\u", "\\ud800", "null", "1e999", "\u{FEFF}", "0", "-", ".", "\t",
        ]
        var accepted = 0
        Mutation(samples, words: words).run { bytes, _ in
            let read = try? JSONText(bytes)
            let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            guard let read else { return }
            accepted += 1
            let text = read.compact
            #expect((try? JSONText(Array(text.utf8))) == read, "\(String(decoding: bytes, as: UTF8.self))")
            // Numbers that no double holds and halves of surrogates are read, but not by Foundation.
            if theirs == nil, !text.contains("e"), !text.contains("E"), !text.contains("\u{FFFD}"), bytes.count < 400 {
                let isLong = text.split(whereSeparator: { !$0.isNumber }).contains { $0.count > 18 }
                #expect(isLong, "read, but not by Foundation: \(String(decoding: bytes, as: UTF8.self))")
            }
        }
        #expect(accepted > Mutation.count / 20)
    }

    /// A damaged zone file is no zone, or one whose offsets are less than a day and whose clock can be read at any time.
    @Test func zoneFilesAreZonesOrNone() throws {
        let files = [
            "Europe/Rome", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Europe/Dublin", "Africa/Casablanca",
        ]
        let samples = try files.map { name in
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/\(name)")))
        }
        let words = [
            "TZif", "\0\0\0\0", "\u{7F}\u{7F}\u{7F}\u{7F}", "CET-1CEST,M3.5.0,M10.5.0/3\n", "<-03>3", "M13.9.9", "J400",
        ]
        var zones = 0
        Mutation(samples, words: words, longest: 40_000).run { bytes, random in
            guard let zone = ZoneFile.zone(bytes, identifier: "Fuzz/Fuzz") else { return }
            zones += 1
            for _ in 0..<4 {
                let instant = Instant(Int64.random(in: -5_000_000_000...9_000_000_000, using: &random))
                let civil = zone.civil(instant)
                #expect(abs(civil.seconds - instant.seconds) <= 26 * 3600)
                #expect(abs(zone.instant(civil).seconds - instant.seconds) <= 52 * 3600)
            }
        }
        #expect(zones > Mutation.count / 50)
    }
}
