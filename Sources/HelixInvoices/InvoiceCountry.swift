/// Countries of addresses by their codes of ISO 3166-1.
public enum InvoiceCountry {
    /// English names, and those by which people of the country write it.
    private static let names: [String: [String]] = [
        "AT": ["Austria", "Österreich", "Oesterreich"], "AU": ["Australia"],
        "BE": ["Belgium", "België", "Belgique", "Belgien"], "BG": ["Bulgaria", "България"], "BR": ["Brazil", "Brasil"],
        "CA": ["Canada"], "CH": ["Switzerland", "Schweiz", "Suisse", "Svizzera"], "CN": ["China", "中国"],
        "CY": ["Cyprus", "Κύπρος"], "CZ": ["Czechia", "Czech Republic", "Česko"],
        "DE": ["Germany", "Deutschland", "Allemagne", "Alemania", "Germania"], "DK": ["Denmark", "Danmark"],
        "EE": ["Estonia", "Eesti"], "ES": ["Spain", "España", "Espana", "Spanien"], "FI": ["Finland", "Suomi"],
        "FR": ["France", "Frankreich"],
        "GB": ["United Kingdom", "UK", "Great Britain", "England", "Scotland", "Wales", "Northern Ireland"],
        "GR": ["Greece", "Ελλάδα", "EL"], "HR": ["Croatia", "Hrvatska"], "HU": ["Hungary", "Magyarország"],
        "IE": ["Ireland", "Éire"], "IN": ["India"], "IS": ["Iceland", "Ísland"], "IT": ["Italy", "Italia", "Italien"],
        "JP": ["Japan", "日本"], "LI": ["Liechtenstein"], "LT": ["Lithuania", "Lietuva"],
        "LU": ["Luxembourg", "Luxemburg", "Lëtzebuerg"], "LV": ["Latvia", "Latvija"], "MT": ["Malta"],
        "MX": ["Mexico", "México"], "NL": ["Netherlands", "The Netherlands", "Nederland", "Niederlande"],
        "NO": ["Norway", "Norge", "Noreg"], "NZ": ["New Zealand"], "PL": ["Poland", "Polska", "Polen"],
        "PT": ["Portugal"], "RO": ["Romania", "România"], "SE": ["Sweden", "Sverige", "Schweden"], "SG": ["Singapore"],
        "SI": ["Slovenia", "Slovenija"], "SK": ["Slovakia", "Slovensko"], "TR": ["Turkey", "Türkiye"],
        "UA": ["Ukraine", "Україна"], "US": ["United States", "USA", "United States of America"],
        "ZA": ["South Africa"],
    ]

    /// The code of a country by its code or name; nil if it is not known.
    public static func code(_ text: String) -> String? {
        let wanted = text.lowercased()
        if InvoiceCodes.countries.contains(text.uppercased()) { return text.uppercased() }
        return names.first { $0.value.contains { $0.lowercased() == wanted } }?.key
    }

    /// The English name of a code; the code itself if its name is not known.
    public static func name(_ code: String) -> String { names[code]?.first ?? code }
}
