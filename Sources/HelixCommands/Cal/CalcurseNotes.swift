import FoundationEssentials
import HelixModel
import HelixSystem

/// The notes of calcurse: files in a folder beside that of the appointments or tasks.
struct CalcurseNotes {
    private let folder: String

    /// - Parameter path: the file of the appointments or tasks.
    init(besides path: String) { folder = path.deletingLastPathComponent + "/notes/" }

    /// The text of a note; nil if it cannot be read.
    func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: folder + name).map { String(guessing: $0).trimmingBlanks() }
    }
}
