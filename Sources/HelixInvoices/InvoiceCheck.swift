import HelixModel

extension Invoice {
    /// The terms of EN 16931 that are missing, each in a sentence with the way to give it; empty for a complete invoice.
    ///
    /// The names in brackets are the rules of EN 16931-1 §6.4.
    public var defects: [String] {
        var defects: [String] = []
        func require(_ isThere: Bool, _ text: String) { if !isThere { defects.append(text) } }
        require(!seller.name.isEmpty, "the own name is missing: helix config set invoice.name \"…\" [BR-06]")
        require(seller.country != nil, "the own country is missing: helix config set invoice.country DE [BR-09]")
        require(buyer.country != nil, "the country of '\(buyer.name)' is missing: --country DE [BR-11]")
        require(
            seller.vatID != nil || seller.legalID != nil || seller.taxNumber != nil,
            "a number of the seller is missing: helix config set invoice.vat-id, invoice.tax-number or invoice.legal-id [BR-CO-26]"
        )
        if tax.category != .reverseCharge {
            require(
                seller.vatID != nil || seller.taxNumber != nil,
                "the tax number is missing: helix config set invoice.vat-id or invoice.tax-number [BR-S-02, BR-Z-02, BR-E-02]"
            )
        } else {
            require(
                seller.vatID != nil, "reverse charge needs the own VAT id: helix config set invoice.vat-id [BR-AE-02]")
            require(
                buyer.vatID != nil || buyer.legalID != nil,
                "reverse charge needs the VAT id of '\(buyer.name)': --buyer-vat-id [BR-AE-02]")
        }
        if let vatID = seller.vatID {
            require(
                Invoice.isVATID(vatID), "the VAT id '\(vatID)' does not begin with the code of its country [BR-CO-09]")
        }
        if let vatID = buyer.vatID {
            require(
                Invoice.isVATID(vatID),
                "the VAT id '\(vatID)' of the buyer does not begin with the code of its country [BR-CO-09]")
        }
        return defects
    }

    private static func isVATID(_ text: String) -> Bool {
        text.utf8.count > 2 && text.utf8.prefix(2).allSatisfy { (0x41...0x5A).contains($0) }
    }
}
