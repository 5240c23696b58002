import Foundation
import HelixContacts
import HelixModel
import HelixStore
import TestSupport
import Testing

/// Birthdays of any range of days are those that a look at each day finds.
@Suite struct BirthdayTests {
    @Test func everyRangeHasItsBirthdays() throws {
        let home = try HelixHome()
        let store = try Store(path: home.folder.path + "/helix.db", now: Instant(1_795_000_000))
        var random = SeededGenerator(seed: 370)
        var known: [(name: String, date: ContactDate)] = []
        try store.change("add", command: "test") { change in
            let book = try change.addAddressBook("people")
            for number in 0..<400 {
                let date =
                    number % 20 == 0
                    ? ContactDate(year: 2000, month: 2, day: 29)
                    : ContactDate(
                        year: Bool.random(using: &random) ? Int.random(in: 1930...2020, using: &random) : nil,
                        month: Int.random(in: 1...12, using: &random), day: Int.random(in: 1...28, using: &random))
                guard let date else { continue }
                var card = VCard(uid: "c\(number)")
                var changes = ContactChanges()
                (changes.name, changes.birthday) = ("Person \(number)", date.text)
                card.apply(changes, now: store.now)
                try change.createContact(card, in: book.id)
                known.append(("Person \(number)", date))
            }
        }
        for _ in 0..<60 {
            let start =
                CivilDate(year: Int.random(in: 2024...2029, using: &random), month: 1, day: 1)
                + Int.random(in: 0..<366, using: &random)
            let days = [1, 2, 7, 60, 300, 364, 365, 366].randomElement(using: &random) ?? 1
            var wanted: [String] = []
            for offset in 0..<days {
                let day = start + offset
                let isLast = day.month == 2 && day.day == 28 && CivilDate(validYear: day.year, month: 2, day: 29) == nil
                for (name, date) in known
                where (date.month, date.day) == (day.month, day.day) || isLast && (date.month, date.day) == (2, 29) {
                    let age = date.year.map { " \(day.year - $0)" } ?? ""
                    let line = "\(ISO8601.text(day)) \(name)\(age)"
                    // A range of more than a year has a day twice; the next one counts.
                    if !wanted.contains(where: { $0.split(separator: " ")[2] == name.split(separator: " ")[1] }) {
                        wanted.append(line)
                    }
                }
            }
            let found = try store.birthdays(from: start, days: days).map { birthday in
                "\(ISO8601.text(birthday.day)) \(birthday.name)" + (birthday.age.map { " \($0)" } ?? "")
            }
            #expect(found.sorted() == wanted.sorted(), "\(ISO8601.text(start)) \(days)")
        }
    }
}
