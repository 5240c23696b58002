/// Media types by file name.
public enum MediaType {
    private static let types = [
        "txt": "text/plain", "md": "text/markdown", "csv": "text/csv", "html": "text/html", "htm": "text/html",
        "ics": "text/calendar", "vcf": "text/vcard", "patch": "text/x-diff", "diff": "text/x-diff", "css": "text/css",
        "xml": "application/xml", "json": "application/json", "toml": "application/toml", "yaml": "application/yaml",
        "yml": "application/yaml", "pdf": "application/pdf", "ps": "application/postscript", "rtf": "application/rtf",
        "zip": "application/zip", "gz": "application/gzip", "tgz": "application/gzip", "tar": "application/x-tar",
        "7z": "application/x-7z-compressed", "xz": "application/x-xz", "bz2": "application/x-bzip2",
        "zst": "application/zstd", "epub": "application/epub+zip", "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "odt": "application/vnd.oasis.opendocument.text", "ods": "application/vnd.oasis.opendocument.spreadsheet",
        "odp": "application/vnd.oasis.opendocument.presentation", "png": "image/png", "jpg": "image/jpeg",
        "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "heic": "image/heic",
        "svg": "image/svg+xml", "tif": "image/tiff", "tiff": "image/tiff", "bmp": "image/bmp", "mp3": "audio/mpeg",
        "m4a": "audio/mp4", "ogg": "audio/ogg", "opus": "audio/ogg", "flac": "audio/flac", "wav": "audio/wav",
        "mp4": "video/mp4", "mov": "video/quicktime", "webm": "video/webm", "mkv": "video/x-matroska",
        "eml": "message/rfc822", "asc": "application/pgp-keys", "sig": "application/pgp-signature",
    ]

    /// The media type for a file name's extension; `application/octet-stream` if it is unknown.
    public static func of(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "application/octet-stream" }
        return types[name[name.index(after: dot)...].lowercased()] ?? "application/octet-stream"
    }
}
