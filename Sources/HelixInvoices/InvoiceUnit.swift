/// Units of quantities by their codes of UN/ECE Recommendation 20.
public enum InvoiceUnit {
    private static let codes: [String: String] = [
        "h": "HUR", "hour": "HUR", "hours": "HUR", "std": "HUR", "min": "MIN", "day": "DAY", "days": "DAY", "d": "DAY",
        "week": "WEE", "month": "MON", "pcs": "H87", "pc": "H87", "piece": "H87", "pieces": "H87", "stk": "H87",
        "m": "MTR", "cm": "CMT", "mm": "MMT", "km": "KMT", "m2": "MTK", "m²": "MTK", "qm": "MTK", "m3": "MTQ",
        "m³": "MTQ", "l": "LTR", "ml": "MLT", "g": "GRM", "kg": "KGM", "t": "TNE", "set": "SET", "pair": "PR",
        "box": "XBX", "kwh": "KWH",
    ]

    /// The code of a unit; `C62`, one, for a unit that has none.
    public static func code(_ unit: String) -> String { codes[unit.lowercased()] ?? "C62" }

    /// Whether the code says what the unit is.
    public static func isKnown(_ unit: String) -> Bool { codes[unit.lowercased()] != nil }
}
