import CLibXML
import HelixModel

/// The text of attached files, for the index.
///
/// Files are of strangers: this runs in a process of its own, with limits on time and memory.
public enum AttachmentText {
    /// The form of a file whose text can be read.
    public enum Form: String, Sendable, CaseIterable {
        case pdf, office, html, text, zip, tar, gzip, rtf, epub
    }

    /// The ends of names of documents and archives that have words, but in a form that is not read.
    private static let unreadEnds: Set<String> = [
        "doc", "dot", "xls", "xlt", "xlsb", "ppt", "pps", "7z", "rar", "bz2", "tbz2", "xz", "txz", "zst", "lz4",
        "pages",
        "numbers", "key", "wpd", "mobi", "azw3", "djvu", "ps", "msg", "pst", "tnef", "vsd", "vsdx", "pub", "one",
    ]
    /// The types of such files, with the usual end.
    private static let unreadTypes = [
        "application/msword": "doc", "application/vnd.ms-excel": "xls", "application/vnd.ms-powerpoint": "ppt",
        "application/x-7z-compressed": "7z", "application/vnd.rar": "rar", "application/x-rar-compressed": "rar",
        "application/x-bzip2": "bz2", "application/x-xz": "xz", "application/zstd": "zst",
        "application/postscript": "ps", "application/vnd.ms-outlook": "msg", "application/ms-tnef": "tnef",
    ]

    /// The form of a document or archive whose text is not read, as the end of its name; nil for other files.
    public static func unreadForm(of part: MIMEPart) -> String? {
        guard part.kind == .leaf, form(of: part) == nil else { return nil }
        let end = end(of: part)
        return unreadEnds.contains(end) ? end : unreadTypes[part.type]
    }

    private static func end(of part: MIMEPart) -> String {
        part.filename?.lowercased().split(separator: ".").last.map(String.init) ?? ""
    }

    /// The most bytes of text of one file.
    public static let limit = 1 << 20
    /// The most bytes of a file that is read.
    public static let sizeLimit = 64 << 20

    /// The form of a part; nil if its text is not read.
    public static func form(of part: MIMEPart) -> Form? {
        guard part.kind == .leaf else { return nil }
        let end = end(of: part)
        switch (part.type, end) {
        case ("application/pdf", _), (_, "pdf"): return .pdf
        case (_, "docx"), (_, "xlsx"), (_, "pptx"), (_, "odt"), (_, "ods"), (_, "odp"), (_, "docm"), (_, "xlsm"):
            return .office
        case (let type, _)
        where type.hasPrefix("application/vnd.openxmlformats-officedocument.")
            || type.hasPrefix("application/vnd.oasis.opendocument."):
            return .office
        case ("text/html", _), (_, "html"), (_, "htm"), ("application/xhtml+xml", _): return .html
        case ("application/zip", _), ("application/x-zip-compressed", _), (_, "zip"), (_, "jar"):
            return .zip
        case ("application/epub+zip", _), (_, "epub"): return .epub
        case ("application/gzip", _), ("application/x-gzip", _), (_, "gz"), (_, "tgz"): return .gzip
        // Its type may be text/rtf, but its words stand between control words.
        case ("application/rtf", _), ("text/rtf", _), ("text/richtext", "rtf"), (_, "rtf"): return .rtf
        case ("application/x-tar", _), (_, "tar"): return .tar
        // Calendars and cards have a kind of their own, but their words count.
        case (let type, _) where type.hasPrefix("text/"): return .text
        case (_, "txt"), (_, "csv"), (_, "md"), (_, "log"), (_, "json"), (_, "xml"): return .text
        default: return nil
        }
    }

    /// The text of a file of any form but PDF, which a program of the system reads.
    /// - Throws: ``HelixError`` of code `badInput` for a file that cannot be read.
    public static func text(_ form: Form, _ bytes: [UInt8], of part: MIMEPart, in message: MIMEMessage) throws -> String
    {
        switch form {
        case .pdf: return ""
        case .text: return String(message.text(of: part).prefix(limit))
        case .html: return try HTMLText(message.text(of: part)).text
        case .zip:
            guard let archive = ZipArchive(bytes) else { throw HelixError(.badInput, "it is no ZIP archive") }
            return archive.entries.map(\.name).joined(separator: "\n")
        case .tar: return try names(inTar: bytes).joined(separator: "\n")
        case .gzip: return try gzip(bytes, named: part.filename?.lowercased() ?? "")
        case .epub: return try epub(bytes)
        case .rtf:
            guard let text = RichText.text(bytes, limit: limit) else { throw HelixError(.badInput, "it is no RTF") }
            return text
        case .office: return try office(bytes)
        }
    }

    /// The names in a compressed tar archive, or the text of a compressed file of text.
    private static func gzip(_ bytes: [UInt8], named name: String) throws -> String {
        guard let content = try Deflate.content(ofGzip: bytes, limit: 32 << 20) else {
            throw HelixError(.badInput, "it is no gzip file, damaged or cut off")
        }
        let isTar = content.count > 262 && content[257..<262].elementsEqual("ustar".utf8)
        if isTar { return try names(inTar: content).joined(separator: "\n") }
        let inner = name.hasSuffix(".gz") ? name.dropLast(3).split(separator: ".").last.map(String.init) ?? "" : ""
        switch inner {
        case "html", "htm": return try HTMLText(Charset.guess(content.prefix(limit))).text
        case "txt", "csv", "md", "log", "json", "xml", "eml", "mbox":
            return Charset.guess(content.prefix(limit))
        default: throw HelixError(.badInput, "the file in it is not read")
        }
    }

    /// The words of an electronic book (EPUB 3.3).
    private static func epub(_ bytes: [UInt8]) throws -> String {
        guard let archive = ZipArchive(bytes) else { throw HelixError(.badInput, "it is no EPUB") }
        let pages = archive.entries.filter { entry in
            [".xhtml", ".html", ".htm"].contains { entry.name.lowercased().hasSuffix($0) }
        }
        guard !pages.isEmpty else { throw HelixError(.badInput, "it has no text") }
        var text = ""
        for page in pages where text.utf8.count < limit {
            let content = try archive.content(of: page, limit: 8 << 20)
            text += try HTMLText(Charset.text(content, charset: HTMLCharset.declared(content) ?? "utf-8")).text + "\n"
        }
        return String(decoding: text.utf8.prefix(limit), as: UTF8.self)
    }

    /// The words of a document of Office Open XML (ISO/IEC 29500) or OpenDocument (ISO/IEC 26300).
    private static func office(_ bytes: [UInt8]) throws -> String {
        guard let archive = ZipArchive(bytes) else { throw HelixError(.badInput, "it is no office file") }
        let parts = archive.entries.filter { entry in
            let name = entry.name
            guard name.hasSuffix(".xml") else { return false }
            return name == "content.xml" || name == "xl/sharedStrings.xml"
                || [
                    "word/document", "word/footnotes", "word/endnotes", "word/comments", "word/header", "word/footer",
                    "xl/worksheets/", "xl/comments", "ppt/slides/slide", "ppt/notesSlides/notes",
                ].contains { name.hasPrefix($0) }
        }
        guard !parts.isEmpty else {
            throw HelixError(
                .badInput, archive.entries.contains(where: \.isEncrypted) ? "it is encrypted" : "it has no text")
        }
        var text = ""
        for part in parts where text.utf8.count < limit {
            let most = 32 << 20
            guard part.size <= most else { throw HelixError(.badInput, "'\(part.name)' has more than 32 MB") }
            // A sheet has numbers, and places of words that stand in the shared strings.
            guard
                let words = try words(
                    inXML: archive.content(of: part, limit: most), isSheet: part.name.hasPrefix("xl/worksheets/"))
            else { throw HelixError(.badInput, "'\(part.name)' is damaged") }
            text += words
        }
        return String(decoding: text.utf8.prefix(limit), as: UTF8.self)
    }

    /// The texts of an XML document, with line ends after what is a paragraph, a row or a cell; nil if it is none.
    private static func words(inXML bytes: [UInt8], isSheet: Bool) throws -> String? {
        final class Reader {
            var text = ""
            var names: [String] = []
            /// The type of the cell in a sheet; nil for a number.
            var cellType: String?
            let isSheet: Bool
            init(isSheet: Bool) { self.isSheet = isSheet }
            static func of(_ context: UnsafeMutableRawPointer?) -> Reader? {
                context.map { Unmanaged<Reader>.fromOpaque($0).takeUnretainedValue() }
            }
        }
        let reader = Reader(isSheet: isSheet)
        var handler = helix_xml_handler()
        handler.start = { context, name, _, label in
            guard let reader = Reader.of(context) else { return }
            let name = name.map { String(cString: $0) } ?? ""
            reader.names.append(name)
            if name == "c" { reader.cellType = label.map { String(cString: $0) } }
        }
        handler.end = { context in
            guard let reader = Reader.of(context), let name = reader.names.popLast() else { return }
            switch name {
            case "p", "h", "br", "si", "row", "table-row", "is": reader.text += "\n"
            case "tab", "s", "c", "table-cell", "tc": reader.text += " "
            default: break
            }
        }
        handler.text = { context, text in
            guard let reader = Reader.of(context), let text, reader.text.utf8.count < AttachmentText.limit else {
                return
            }
            if reader.isSheet, reader.names.last != "t" {
                // A value is a number or the result of a formula; or the number of a shared string, or a truth value.
                guard reader.names.last == "v", !["s", "b"].contains(reader.cellType) else { return }
            }
            reader.text += String(cString: text)
        }
        let code = bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { chars in
                helix_xml_parse(chars.baseAddress, chars.count, Unmanaged.passUnretained(reader).toOpaque(), &handler)
            }
        }
        if code < 0 { throw HelixError(.configuration, "libxml2 is not installed (apt-get install libxml2)") }
        if code == 0 { return nil }
        return reader.text.split(separator: "\n", omittingEmptySubsequences: true)
            .map { String($0).trimmingBlanks() }.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
    }

    /// The names in a tar archive (POSIX ustar, with the long names of pax and GNU).
    private static func names(inTar bytes: [UInt8]) throws -> [String] {
        func text(_ place: Int, _ count: Int) -> String {
            String(decoding: bytes[place..<min(bytes.count, place + count)].prefix { $0 != 0 }, as: UTF8.self)
        }
        var names: [String] = []
        var longName: String?
        var place = 0
        while place + 512 <= bytes.count, bytes[place] != 0, names.count < 20_000 {
            guard text(place + 257, 5) == "ustar" else { throw HelixError(.badInput, "it is no tar archive") }
            let size = Int(text(place + 124, 12).trimmingBlanks(), radix: 8) ?? 0
            guard size >= 0, size <= bytes.count else { break }
            switch bytes[place + 156] {
            case UInt8(ascii: "L"): longName = text(place + 512, size)
            case UInt8(ascii: "x"):
                let lines = text(place + 512, size).split(separator: "\n")
                longName =
                    lines.compactMap { line in
                        line.split(separator: " ", maxSplits: 1).last.flatMap {
                            $0.hasPrefix("path=") ? String($0.dropFirst("path=".count)) : nil
                        }
                    }.last
            case UInt8(ascii: "g"), UInt8(ascii: "K"): break
            default:
                let prefix = text(place + 345, 155)
                names.append(longName ?? (prefix.isEmpty ? "" : prefix + "/") + text(place, 100))
                longName = nil
            }
            place += 512 + (size + 511) / 512 * 512
        }
        return names
    }
}
