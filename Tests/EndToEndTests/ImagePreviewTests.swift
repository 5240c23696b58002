import Foundation
import TestSupport
import Testing

/// Images are made smaller when somebody asks, and the original stays as it is.
@Suite struct ImagePreviewTests {
    /// A PNG of one colour, written by Python.
    static func image(_ home: HelixHome, _ name: String, _ width: Int, _ height: Int, alpha: Bool = false)
        throws
    {
        let script = """
            import sys, zlib, struct
            w, h, alpha = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "true"
            chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            row = b"\\0" + (b"\\x10\\x80\\xf0\\x80" if alpha else b"\\x10\\x80\\xf0") * w
            head = struct.pack(">IIBBBBB", w, h, 8, 6 if alpha else 2, 0, 0, 0)
            open(sys.argv[1], "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", head)
                + chunk(b"IDAT", zlib.compress(row * h)) + chunk(b"IEND", b""))
            """
        let run = try home.run(
            program: "/usr/bin/python3",
            ["-c", script, home.folder.path + "/" + name, "\(width)", "\(height)", "\(alpha)"])
        #expect(run.status == 0, "\(run.errors)")
    }

    /// The kind and the size of an image, as its own bytes say.
    static func shape(_ bytes: [UInt8]) -> String {
        if bytes.starts(with: [0x89, 0x50]) {
            return "png \(Int(bytes[18]) << 8 + Int(bytes[19]))x\(Int(bytes[22]) << 8 + Int(bytes[23]))"
        }
        guard bytes.starts(with: [0xFF, 0xD8]) else { return "none" }
        var place = 2
        while place + 9 < bytes.count {
            let (marker, length) = (bytes[place + 1], Int(bytes[place + 2]) << 8 + Int(bytes[place + 3]))
            if (0xC0...0xC3).contains(marker) {
                let (height, width) = (
                    Int(bytes[place + 5]) << 8 + Int(bytes[place + 6]),
                    Int(bytes[place + 7]) << 8 + Int(bytes[place + 8])
                )
                return "jpeg \(width)x\(height)"
            }
            place += 2 + length
        }
        return "jpeg"
    }

    static func attach(_ home: HelixHome, _ name: String) throws -> String {
        let run = try home.run("projects", "attach", "house", name, "--json")
        #expect(run.status == 0, "\(run)")
        let item = try run.items().first
        return try #require(item?["id"] as? String)
    }

    @Test func aSmallerCopyIsSavedAndTheOriginalKept() throws {
        let home = try HelixHome()
        try home.run("projects", "add", "house")
        for (name, width, height, alpha, expected) in [
            ("wide.png", 1200, 300, false, "jpeg 400x100"), ("high.png", 100, 1000, true, "png 40x400"),
            ("small.png", 30, 20, false, "jpeg 30x20"),
        ] {
            try Self.image(home, name, width, height, alpha: alpha)
            let id = try Self.attach(home, name)
            let run = try home.run("projects", "files", "save", id, "out-" + name, "--preview", "400")
            #expect(run.status == 0, "\(run)")
            let bytes = try [UInt8](Data(contentsOf: home.folder.appendingPathComponent("out-" + name)))
            #expect(Self.shape(bytes) == expected, "\(name): \(Self.shape(bytes))")
            #expect(try home.run("projects", "files", "save", id, "back-" + name).status == 0)
            let files = try [name, "back-" + name].map { try Data(contentsOf: home.folder.appendingPathComponent($0)) }
            #expect(files[0] == files[1])
        }
        try FileManager.default.createDirectory(
            atPath: home.folder.path + "/folder", withIntermediateDirectories: false)
        let id = try Self.attach(home, "wide.png")
        #expect(
            try home.run("projects", "files", "save", id, "folder", "--preview", "64").output.contains("wide-small.jpg")
        )
    }

    @Test func whatIsNoImageIsSaidSo() throws {
        let home = try HelixHome()
        try home.run("projects", "add", "house")
        _ = try home.write("no image", to: "note.png")
        let id = try Self.attach(home, "note.png")
        let refused = try home.run("projects", "files", "save", id, "x.jpg", "--preview", "400")
        #expect(refused.status == 65 && refused.errors.contains("not an image"), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: home.folder.path + "/x.jpg"))
        #expect(try home.run("projects", "files", "save", id, "x.jpg", "--preview", "5").status == 64)
        // A file of 60 bytes that claims to be 60,000 pixels wide and high.
        var head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        head += Array("IHDR".utf8) + [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 2, 0, 0, 0, 0, 0, 0, 0]
        try Data(head).write(to: home.folder.appendingPathComponent("bomb.png"))
        let bomb = try Self.attach(home, "bomb.png")
        #expect(try home.run("projects", "files", "save", bomb, "x.jpg", "--preview", "400").status == 65)
        let missing = try HelixHome()
        try missing.run("projects", "add", "house")
        try Self.image(missing, "a.png", 50, 50)
        let file = try Self.attach(missing, "a.png")
        try FileManager.default.createDirectory(
            atPath: missing.folder.path + "/lib", withIntermediateDirectories: false)
        _ = try missing.write("no library", to: "lib/libgdk_pixbuf-2.0.so.0")
        missing.environment["LD_LIBRARY_PATH"] = missing.folder.path + "/lib"
        let result = try missing.run("projects", "files", "save", file, "x.jpg", "--preview", "400")
        #expect(result.status == 78 && result.errors.contains("libgdk-pixbuf"), "\(result)")
    }
}
