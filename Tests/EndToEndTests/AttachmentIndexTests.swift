import Foundation
import TestSupport
import Testing

/// The text of attached files is searched, and files of strangers do no harm.
@Suite(.enabled(if: TestServer.has("/usr/bin/pdftotext"), "needs the program pdftotext"))
struct AttachmentIndexTests {
    private let home: HelixHome
    private let maildir: TestMaildir

    init() throws {
        home = try HelixHome()
        maildir = try TestMaildir(home)
        let made = try home.run(
            program: "/usr/bin/python3",
            [
                Corpora.packageDirectory.appendingPathComponent("Tests/Oracles/attached_files.py").path,
                home.folder.appendingPathComponent("Mail/new").path,
            ])
        guard made.status == 0 else { throw OracleFailure(message: made.errors) }
        try home.run("account", "add", "home", "maildir", maildir.path)
    }

    private func found(_ words: String) throws -> [String] {
        try home.run("mail", "search", words, "--json").items().compactMap { $0["message_id"] as? String }.map {
            String($0.dropLast("@files".count))
        }
    }

    @Test func theWordsOfAttachedFilesAreFound() throws {
        let before = try home.run("mail", "search", "docxword")
        #expect(before.output.contains("Nothing found"))
        #expect(before.errors.contains("attachments of 27 messages are not searched yet"), "\(before)")
        let indexed = try home.run("mail", "index", "--attachments", "--json")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(indexed.output.utf8)) as? [String: Any])
        #expect(report["attachments"] as? Int == 19, "\(indexed)")
        let unread = (report["unread"] as? [String] ?? []).joined(separator: "\n")
        for name in [
            "broken.pdf: it is no PDF", "broken.docx: it is no office file",
            "bomb.docx: 'word/document.xml' has more than", "old.doc: the text of .doc files is not read",
            "part.txt.gz: it is no gzip file, damaged or cut off", "all.rar: the text of .rar files is not read",
            "cut.txt.gz: it is no gzip file, damaged or cut off",
        ] {
            #expect(unread.contains(name), "\(unread)")
        }
        let wanted = [
            "pdfword": ["pdf"], "namedword": ["pdf-named"], "docxword": ["docx"], "übung": ["docx"],
            "footnoteword": ["docx"],
            "\"second paragraph\"": ["docx"], "xlsxword": ["xlsx"], "inlineword": ["xlsx"], "richtext": ["xlsx"],
            "pptxword": ["pptx"], "\"odtword inside\"": ["odt"], "htmlword": ["html"], "scriptword": [],
            "textword": ["text"],
            "zipword": ["zip"], "hiddenword": [], "tarword": ["tar"], "longtarname": ["tar-gz", "tar"],
            "firstword": ["two"],
            "73519.25": ["xlsx"], "formulaword": ["xlsx"], "tgzword": ["tar-gz"], "gzword": ["gz"], "rtfword": ["rtf"],
            "příliš": ["rtf"], "Fontword": [], "Generatorword": [], "hiddenlink": [], "shownlink": ["rtf"],
            "splitword": ["rtf"], "日本": ["rtf"], "secondrtf": ["rtf-text"], "epubword": ["epub"], "straße": ["epub"],
            "chaptertwo": ["epub"], "styleword": [], "wideword": ["bare", "wide"], "headword": ["rtf"], "docword": [],
            "otherword": ["two"],
            "\"text of pdf\"": ["pdf-named", "pdf"],
        ]
        for (words, names) in wanted { #expect(try found(words) == names, "\(words)") }
        // The message's own text is as it was.
        let read = try home.run(
            "mail", "read",
            try #require(
                home.run("mail", "search", "pdfword", "--ids").output.split(separator: "\n").first.map(String.init)))
        #expect(read.output.contains("The text of pdf.") && !read.output.contains("pdfword"), "\(read.output)")
        let after = try home.run("mail", "search", "docxword")
        #expect(!after.errors.contains("not searched yet"))
        // Once; what cannot be read is tried again when one asks.
        #expect(try home.run("mail", "index", "--attachments", "--quiet").errors.isEmpty)
        #expect(try home.run("mail", "index", "--attachments").output.contains("broken.pdf"))
        let health = try home.run("doctor")
        #expect(health.status == 0)
        #expect(health.output.contains("8 messages have attached files whose text cannot be searched"), "\(health)")
        // A repair reads the files again, and finds the words again.
        _ = try home.run("doctor", "--repair")
        _ = try home.run("mail", "index", "--attachments")
        #expect(try found("docxword") == ["docx"])
    }

    @Test func encryptedMailIsNotRead() throws {
        try maildir.deliver(
            mail(
                "Secret", id: "s@files",
                headers: [
                    "MIME-Version: 1.0",
                    "Content-Type: multipart/encrypted; protocol=\"application/pgp-encrypted\"; boundary=b",
                ],
                body:
                    "--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\nContent-Type: text/plain; name=\"a.txt\"\n"
                    + "Content-Disposition: attachment; filename=\"a.txt\"\n\nsecretword\n--b--\n"))
        _ = try home.run("mail", "index", "--attachments")
        #expect(try found("secretword").isEmpty)
    }

    @Test func theSettingAndAgentsAreHeeded() throws {
        try home.run("config", "set", "mail.index-attachments", "false")
        #expect(try !home.run("mail", "search", "docxword").errors.contains("not searched yet"))
        #expect(try home.run("--as", "read-only", "mail", "attachments", "extract", "/etc/passwd").status == 77)
    }
}
