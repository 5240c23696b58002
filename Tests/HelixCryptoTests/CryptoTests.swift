import HelixCrypto
import HelixModel
import HelixSignatures
import Testing

/// Hashes, codes and signatures are those of their standards.
@Suite struct CryptoTests {
    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal.utf8).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }

    /// The examples of FIPS 180-4.
    @Test func hashesAreThoseOfTheStandard() {
        #expect(
            SHA256.hash(Array("abc".utf8)).hexadecimal
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            SHA256.hash([UInt8]()).hexadecimal == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            SHA256.hash([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)).hexadecimal
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        #expect(SHA1.hash(Array("abc".utf8)).hexadecimal == "a9993e364706816aba3e25717850c26c9cd0d89d")
    }

    /// Bytes that are added in parts have the hash of the whole, however they are cut, also while more are added.
    @Test func partsHaveTheHashOfTheWhole() {
        let whole = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
        for length in [0, 1, 55, 56, 63, 64, 65, 127, 128, 999] {
            var hash = SHA256()
            hash.update(whole[..<length])
            #expect(hash.digest() == SHA256.hash(Array(whole[..<length])))
            hash.update(whole[length...])
            #expect(hash.digest() == SHA256.hash(whole))
        }
    }

    /// The cases of RFC 4231.
    @Test func codesAreThoseOfRFC4231() {
        func code(_ key: [UInt8], _ message: [UInt8]) -> String {
            SHA256.authenticationCode(of: message, key: key).hexadecimal
        }
        #expect(
            code([UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8))
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        #expect(
            code(Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(
            code(
                [UInt8](repeating: 0xAA, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8))
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }

    /// Test case 1 of RFC 5869, and test case 3 of the specification of GCM (McGrew and Viega).
    @Test func keysAndTextsAreThoseOfTheirStandards() {
        let key = HKDF.key(
            secret: [UInt8](repeating: 0x0B, count: 22), salt: Self.bytes("000102030405060708090a0b0c"),
            info: Self.bytes("f0f1f2f3f4f5f6f7f8f9"), count: 32)
        #expect(key == Self.bytes("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"))
        let sealed = AES128GCM.seal(
            Self.bytes(
                "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                    + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255"),
            key: Self.bytes("feffe9928665731c6d6a8f9467308308"), nonce: Self.bytes("cafebabefacedbaddecaf888"))
        #expect(
            sealed
                == Self.bytes(
                    "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
                        + "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985"
                        + "4d5c2af327cd64a62cf35abd2ba6fab4"))
        #expect(AES128GCM.seal([1], key: [1], nonce: [2]).isEmpty)
    }

    /// Two keys have the same secret with each other, and PEM is read as it is written by OpenSSL.
    @Test func curveKeysAgree() throws {
        let (ana, bob) = (CurveKey(), CurveKey())
        #expect(ana.secret(with: bob.publicKey) == bob.secret(with: ana.publicKey))
        #expect(ana.secret(with: bob.publicKey) != nil && ana.publicKey.first == 4)
        #expect(ana.secret(with: [4] + [UInt8](repeating: 1, count: 64)) == nil)
        #expect(CurveKey(scalar: [UInt8](repeating: 0, count: 32)) == nil)
        #expect(CurveKey(scalar: [UInt8](repeating: 255, count: 32)) == nil)
        #expect(CurveKey(secret: [1, 2], purpose: "a").publicKey == CurveKey(secret: [1, 2], purpose: "a").publicKey)
        #expect(CurveKey(secret: [1, 2], purpose: "a").publicKey != CurveKey(secret: [1, 2], purpose: "b").publicKey)
        let first = ana.signature(of: [1, 2, 3])
        #expect(first.count == 64 && first != ana.signature(of: [1, 2, 3]))
        let pem = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgyfWPiYE+n46HLnH0
            KqZOF1fJJU3MYrct3AELtAQ+oRyhRANCAAT+M/SrDepxkU21WCP3O1SUj0EwbZIH
            Mtu5pZpTKGSCIA5Zent7wmC6HCJ5mFgJkuk5cwAvMBKiiujwa7t45ewP
            -----END PRIVATE KEY-----
            """
        #expect(CurveKey(pem: pem)?.publicKey.hexadecimal.hasPrefix("04fe33f4ab0dea71914db558") == true)
        #expect(CurveKey(pem: "") == nil && CurveKey(pem: "-----BEGIN PRIVATE KEY-----") == nil)
    }

    /// The cases of RFC 8032, 7.1.
    @Test(arguments: [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ])
    func signaturesAreThoseOfRFC8032(_ seed: String, _ key: String, _ message: String, _ signature: String) throws {
        let pair = try SigningKey(seed: Self.bytes(seed))
        let message = Self.bytes(message)
        #expect(pair.publicKey.hexadecimal == key)
        #expect(try pair.signature(of: message).hexadecimal == signature)
        #expect(try SigningKey.isValid(Self.bytes(signature), of: message, key: pair.publicKey))
    }

    @Test func whatIsNoKeyAndNoSignatureIsRefused() throws {
        let pair = try SigningKey()
        let signature = try pair.signature(of: [1, 2, 3])
        #expect(try SigningKey.isValid(signature, of: [1, 2, 3], key: pair.publicKey))
        #expect(try !SigningKey.isValid(signature, of: [1, 2, 4], key: pair.publicKey))
        #expect(try !SigningKey.isValid(signature, of: [1, 2, 3], key: SigningKey().publicKey))
        #expect(try !SigningKey.isValid(Array(signature.dropLast()), of: [1, 2, 3], key: pair.publicKey))
        #expect(try !SigningKey.isValid(signature, of: [1, 2, 3], key: []))
        for place in signature.indices {
            var damaged = signature
            damaged[place] ^= 1
            #expect(try !SigningKey.isValid(damaged, of: [1, 2, 3], key: pair.publicKey))
        }
        #expect(throws: SigningKey.Failure.invalidKey) { try SigningKey(seed: [1, 2, 3]) }
    }
}
