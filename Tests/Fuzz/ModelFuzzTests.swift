import Foundation
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
            let isTheirs = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
            if let read {
                accepted += 1
                #expect((try? JSONText(Array(read.compact.utf8))) == read, "\(String(decoding: bytes, as: UTF8.self))")
            }
            // Foundation also reads UTF-16 and UTF-32, and refuses numbers that no double holds and halves of surrogates.
            guard (read != nil) != isTheirs, String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
                return
            }
            let isLong = bytes.split(whereSeparator: { !(0x30...0x39).contains($0) }).contains { $0.count > 18 }
            // A power of ten after digits: 1E999.
            let hasPower = zip(bytes, bytes.dropFirst()).contains { digit, sign in
                (0x30...0x39).contains(digit) && (sign == UInt8(ascii: "e") || sign == UInt8(ascii: "E"))
            }
            let hasHalf = bytes.indices.contains {
                bytes[$0...].starts(with: "\\ud".utf8) || bytes[$0...].starts(with: "\\uD".utf8)
            }
            let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
            // Foundation allows a comma after the last element, which RFC 8259 does not.
            let solid = bytes.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            let hasLastComma = zip(solid, solid.dropFirst()).contains { $0 == 0x2C && ($1 == 0x5D || $1 == 0x7D) }
            if read == nil, hasLastComma { return }
            #expect(
                isLong || hasPower || hasHalf || hasMark,
                "\(read == nil ? "refused" : "read") alone: \(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(accepted > Mutation.count / 20)
    }

    /// A damaged zone file is no zone, or one whose offsets are those that RFC 8536 allows, and whose clock can be read at any time.
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
