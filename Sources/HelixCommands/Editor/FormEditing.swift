import FoundationEssentials
import Glibc
import HelixModel
import HelixSystem
import HelixTerminal

extension CommandContext {
    /// Whether a command without changes may open an editor: on a terminal, or if an editor is configured.
    var canEdit: Bool {
        if output.isMachine { return false }
        let isNamed = ["VISUAL", "EDITOR"].contains { environment[$0]?.contains { !$0.isWhitespace } == true }
        return isNamed || console.isInputTerminal && console.isOutputTerminal
    }

    /// Opens the editor on a form, and passes on the changed values.
    ///
    /// If a text cannot be parsed, its faulty line is shown; the text is kept, and the editor opens it the next time.
    /// - Parameters:
    ///   - id: the entity; the text is kept under this id.
    ///   - apply: applies the values; throws if one cannot be parsed.
    /// - Throws: ``HelixError``: the editor fails, or its text cannot be parsed.
    func edit(
        _ id: EntityID, _ form: EditorForm, apply: ([String: EditorForm.Entry], _ notes: String?) throws -> Void
    ) throws {
        let draft = try draft(id, form)
        let editor = Editor.command(environment)
        while true {
            guard ChildProcess.run(shell: "\(editor) \"$1\"", argument: draft.path) == 0 else {
                if !draft.isKept { draft.remove() }
                throw HelixError(
                    .configuration, "the editor '\(editor)' failed, and nothing was changed",
                    hint: "Set EDITOR to one that is installed, or pass the changes as options.")
            }
            do {
                let text = draft.text ?? ""
                let (changed, notes) = try draft.changes(in: text, form)
                if changed.isEmpty, notes == nil {
                    draft.remove()
                    return note(StyledText("Nothing was changed.", .dim))
                }
                do { try apply(changed, notes) } catch let error as HelixError where error.code == .usage {
                    throw form.problem(error, in: text, changed)
                }
                draft.remove()
                return
            } catch let error as HelixError where error.code == .usage || error.code == .notFound {
                if console.canAsk {
                    note(StyledText("\(error.message). \(error.hint ?? "")", TextStyle(.yellow)))
                    if ["", "y", "e"].contains(console.ask("Edit it again? [Y/n]")) { continue }
                }
                throw HelixError(
                    error.code, error.message,
                    hint: (error.hint.map { $0 + " " } ?? "")
                        + "Your text is kept in \(draft.path); run the same command again to continue.")
            }
        }
    }

    /// Writes the text to edit: the kept one, or that of the form.
    private func draft(_ id: EntityID, _ form: EditorForm) throws -> FormDraft {
        let folder = paths.store.deletingLastPathComponent + "/writing"
        let path = "\(folder)/\(id.text).txt"
        let kept = FormDraft.text(at: path)
        let base = path + ".base"
        let before = (kept == nil ? nil : FormDraft.text(at: base)) ?? form.text
        let meanwhile: (fields: [String: EditorForm.Entry], notes: String?) =
            (try? form.changes(in: before)) ?? ([:], nil)
        if kept != nil {
            let names = meanwhile.fields.keys.sorted() + (meanwhile.notes == nil ? [] : ["notes"])
            note(
                StyledText(
                    "This is your last text, which could not be parsed; it is kept in \(path)."
                        + (names.isEmpty
                            ? ""
                            : " Changed since then: \(names.joined(separator: ", ")); these changes are kept where you do not edit them."),
                    .dim))
        }
        try write(kept ?? form.text, to: path, in: folder)
        try write(before, to: base, in: folder)
        return FormDraft(path: path, base: base, isKept: kept != nil, meanwhile: meanwhile)
    }

    private func write(_ text: String, to path: String, in folder: String) throws {
        let mask = umask(0o077)
        defer { umask(mask) }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch { throw HelixError(.cannotCreate, "\(path) cannot be written: \(error.systemReason)") }
    }
}

/// A form's text in a file, for the editor.
private struct FormDraft {
    let path: String
    /// The file with the text as it was when the editor opened it first.
    let base: String
    /// Whether the text was kept by an earlier command.
    let isKept: Bool
    /// The values that were changed elsewhere since the kept text was created.
    let meanwhile: (fields: [String: EditorForm.Entry], notes: String?)

    static func text(at path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The text that the user wrote.
    var text: String? { FormDraft.text(at: path) }

    /// The values that the user changed.
    func changes(in text: String, _ form: EditorForm) throws -> (fields: [String: EditorForm.Entry], notes: String?) {
        let (changed, notes) = text.contains { !$0.isWhitespace } ? try form.changes(in: text) : ([:], nil)
        // A value that is still as it was when the text was created is unchanged.
        return (
            changed.filter { $0.value.value != meanwhile.fields[$0.key]?.value }, notes == meanwhile.notes ? nil : notes
        )
    }

    func remove() {
        unlink(path)
        unlink(base)
    }
}

extension EditorForm {
    /// The error for the line with the value that an error mentions; the error itself if no line has it.
    fileprivate func problem(_ error: HelixError, in text: String, _ changed: [String: Entry]) -> HelixError {
        let place = changed.values.sorted { $0.value.count > $1.value.count }.first {
            !$0.value.isEmpty && error.message.contains($0.value)
        }
        guard let place else { return error }
        let line = text.split(separator: "\n", omittingEmptySubsequences: false)[place.line - 1]
        let reason = error.message.split(separator: "\n").first.map(String.init) ?? error.message
        return problem(place.line, String(line), reason, hint: error.hint)
    }
}
