import Foundation
import TestSupport

extension RandomWalk {
    /// The words of a random use of a command for contacts.
    mutating func contactWords(_ command: String) throws -> [String]? {
        let letters = ["ana", "bo", "cy", "dee"]
        func contact(_ walk: inout RandomWalk) throws -> String { try walk.some("SELECT id FROM contact ORDER BY n") }
        func book(_ walk: inout RandomWalk) throws -> String {
            try walk.some("SELECT name FROM address_book ORDER BY n")
        }
        switch command {
        case "contacts add":
            let birthday = number(0..<3) == 0 ? ["--birthday", day()] : []
            let group = number(0..<3) == 0 ? ["--group", "g\(number(0..<3))"] : []
            return [name("Person"), "\(one(letters))\(number(0..<20))@example.org"] + birthday + group
        case "contacts edit":
            return [try contact(&self)]
                + (number(0..<3) == 0
                    ? ["--name", name("Renamed")]
                    : number(0..<2) == 0
                        ? ["--email", "+\(one(letters))@home.example"] : ["--birthday", one([day(), "none"])])
        case "contacts delete": return [try contact(&self), "--yes"]
        case "contacts merge": return [try contact(&self), try contact(&self)]
        case "contacts books add": return [name("book")]
        case "contacts books rename": return [try book(&self), name("renamed")]
        case "contacts books default": return [try book(&self)]
        case "contacts books delete": return [try book(&self), "--yes"]
        default: return nil
        }
    }
}
