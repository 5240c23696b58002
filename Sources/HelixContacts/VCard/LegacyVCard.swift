import HelixCalendar
import HelixModel

/// A vCard 2.1 (https://web.archive.org/web/2016/http://www.imc.org/pdi/vcard-21.txt), as old phones write it, on its way to
/// version 3.
struct LegacyVCard {
    private let card: VCard
    private let line: Int

    init(_ card: VCard, line: Int) {
        self.card = card
        self.line = line
    }

    /// The same as version 3 (RFC 2426 §5).
    /// - Parameter defects: what could not be read for sure is added to it.
    func converted(_ defects: inout [ICalendarDefect]) -> VCard {
        var items: [ICalendarComponent.Item] = []
        for item in card.component.items {
            guard case .line(let text) = item, let property = ICalendarProperty(line: text) else {
                items.append(item)
                continue
            }
            if property.plainName == "VERSION" {
                items.append(.line("VERSION:3.0"))
            } else if property.plainName == "AGENT", property.value.hasPrefix("BEGIN:VCARD") {
                // An inner vCard is a text of version 3 already.
                items.append(item)
            } else {
                items.append(.line(converted(property, &defects).line))
            }
        }
        return VCard(ICalendarComponent("VCARD", items: items))
    }

    private func converted(_ property: ICalendarProperty, _ defects: inout [ICalendarDefect]) -> ICalendarProperty {
        var (types, parameters): ([String], [ICalendarProperty.Parameter]) = ([], [])
        var (isQuoted, isBinary) = (false, false)
        var charset: String?
        for parameter in property.parameters {
            let value = parameter.values.first ?? ""
            // A type may stand without its name: TEL;HOME;VOICE.
            let (name, word) = value.isEmpty ? ("", parameter.name) : (parameter.name, value.uppercased())
            switch (name, word) {
            case ("ENCODING", "QUOTED-PRINTABLE"), ("", "QUOTED-PRINTABLE"): isQuoted = true
            case ("ENCODING", "BASE64"), ("", "BASE64"), ("ENCODING", "B"): isBinary = true
            case ("ENCODING", _), ("", "8BIT"), ("", "7BIT"): break
            case ("CHARSET", _): charset = value
            case ("TYPE", _): types += parameter.values
            case ("", _): types.append(word)
            default: parameters.append(parameter)
            }
        }
        if !types.isEmpty { parameters.append(.init("TYPE", types)) }
        if isBinary {
            parameters.append(.init("ENCODING", ["b"]))
            return ICalendarProperty(
                property.name, parameters, value: String(property.value.filter { !$0.isWhitespace }))
        }
        let value = isQuoted ? decoded(property, charset, &defects) : property.value
        return ICalendarProperty(property.name, parameters, value: escaped(value, property.plainName))
    }

    /// The value of a quoted-printable one (RFC 2045 §6.7).
    private func decoded(
        _ property: ICalendarProperty, _ charset: String?, _ defects: inout [ICalendarDefect]
    ) -> String {
        var bytes: [UInt8] = []
        let source = Array(property.value.utf8)
        var place = 0
        while place < source.count {
            if source[place] == 0x3D, place + 2 < source.count,
                let byte = UInt8(String(decoding: source[(place + 1)...(place + 2)], as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                place += 3
            } else {
                bytes.append(source[place])
                place += 1
            }
        }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let known = ["ISO-8859-1", "WINDOWS-1252", "LATIN1", "US-ASCII"]
        if let charset, !known.contains(charset.uppercased()) {
            defects.append(
                ICalendarDefect(
                    line: line, part: property.plainName,
                    reason: "has the character set \(charset), and was read as Windows-1252"))
        }
        return String(windows1252: bytes)
    }

    /// A value with the escapes of version 3: in 2.1 only a semicolon is escaped, and lines end by CR LF in the value.
    private func escaped(_ value: String, _ name: String) -> String {
        let isStructured = ["N", "ADR", "ORG"].contains(name)
        var out = ""
        var isEscaped = false
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case ";": out += isEscaped || !isStructured ? "\\;" : ";"
            case ",": out += "\\,"
            case "\r": break
            case "\n": out += "\\n"
            default:
                if isEscaped { out += "\\\\" }
                if scalar.value >= 0x20 || scalar == "\t" { out.unicodeScalars.append(scalar) }
            }
            isEscaped = false
        }
        return out + (isEscaped ? "\\\\" : "")
    }
}
