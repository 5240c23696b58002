/// Parts of a path, by its text: the file need not exist.
extension String {
    /// The path without its last name: `/` for one in it, and nothing for a name alone.
    public var deletingLastPathComponent: String {
        let path = trimmingTrailingSlashes
        guard let slash = path.lastIndex(of: "/") else { return "" }
        let folder = String(path[..<slash]).trimmingTrailingSlashes
        return folder.isEmpty ? "/" : folder
    }

    /// The last name of the path.
    public var lastPathComponent: String {
        let path = trimmingTrailingSlashes
        guard let slash = path.lastIndex(of: "/"), path != "/" else { return path }
        return String(path[path.index(after: slash)...])
    }

    /// The ending of the last name without its dot; empty without one. The dot of a hidden file begins no ending.
    public var pathExtension: String {
        let name = lastPathComponent
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return String(name[name.index(after: dot)...])
    }

    /// The path without its ending.
    public var deletingPathExtension: String {
        let ending = pathExtension
        return ending.isEmpty ? self : String(trimmingTrailingSlashes.dropLast(ending.count + 1))
    }

    private var trimmingTrailingSlashes: String {
        var path = self[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        return String(path)
    }
}
