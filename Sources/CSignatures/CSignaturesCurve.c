// The functions of a curve need less code than OpenSSL 3's providers; it calls them deprecated, and keeps them.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "CSignaturesCurve.h"

#include <openssl/ec.h>
#include <openssl/ecdh.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

// A key pair from a secret one; NULL if it is none.
static EC_KEY *pair(const uint8_t *scalar) {
  EC_KEY *key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
  BIGNUM *secret = BN_bin2bn(scalar, HELIX_P256_SCALAR_SIZE, NULL);
  const EC_GROUP *group = key ? EC_KEY_get0_group(key) : NULL;
  EC_POINT *point = group ? EC_POINT_new(group) : NULL;
  int is_good = secret && point && !BN_is_zero(secret) && BN_cmp(secret, EC_GROUP_get0_order(group)) < 0 &&
                EC_POINT_mul(group, point, secret, NULL, NULL, NULL) && EC_KEY_set_private_key(key, secret) &&
                EC_KEY_set_public_key(key, point);
  EC_POINT_free(point);
  BN_clear_free(secret);
  if (is_good) return key;
  EC_KEY_free(key);
  return NULL;
}

int helix_p256_public(const uint8_t *scalar, uint8_t *point) {
  EC_KEY *key = pair(scalar);
  if (!key) return 0;
  size_t count = EC_POINT_point2oct(
      EC_KEY_get0_group(key), EC_KEY_get0_public_key(key), POINT_CONVERSION_UNCOMPRESSED, point, HELIX_P256_POINT_SIZE,
      NULL);
  EC_KEY_free(key);
  return count == HELIX_P256_POINT_SIZE;
}

int helix_p256_agree(const uint8_t *scalar, const uint8_t *other, uint8_t *secret) {
  EC_KEY *key = pair(scalar);
  if (!key) return 0;
  const EC_GROUP *group = EC_KEY_get0_group(key);
  EC_POINT *point = EC_POINT_new(group);
  // The conversion refuses a point that is not on the curve.
  int is_good = point && EC_POINT_oct2point(group, point, other, HELIX_P256_POINT_SIZE, NULL) &&
                ECDH_compute_key(secret, 32, point, key, NULL) == 32;
  EC_POINT_free(point);
  EC_KEY_free(key);
  return is_good;
}

int helix_p256_sign(const uint8_t *scalar, const uint8_t *digest, uint8_t *signature) {
  EC_KEY *key = pair(scalar);
  if (!key) return 0;
  ECDSA_SIG *made = ECDSA_do_sign(digest, 32, key);
  int is_good = made && BN_bn2binpad(ECDSA_SIG_get0_r(made), signature, 32) == 32 &&
                BN_bn2binpad(ECDSA_SIG_get0_s(made), signature + 32, 32) == 32;
  ECDSA_SIG_free(made);
  EC_KEY_free(key);
  return is_good;
}

// No password is asked for at the terminal.
static int no_password(char *room, int size, int writes, void *context) {
  (void)room, (void)size, (void)writes, (void)context;
  return -1;
}

int helix_p256_read_pem(const char *text, size_t count, uint8_t *scalar) {
  BIO *source = BIO_new_mem_buf(text, (int)count);
  EVP_PKEY *any = source ? PEM_read_bio_PrivateKey(source, NULL, no_password, NULL) : NULL;
  EC_KEY *key = any ? EVP_PKEY_get1_EC_KEY(any) : NULL;
  int is_good = key && EC_GROUP_get_curve_name(EC_KEY_get0_group(key)) == NID_X9_62_prime256v1 &&
                EC_KEY_get0_private_key(key) &&
                BN_bn2binpad(EC_KEY_get0_private_key(key), scalar, HELIX_P256_SCALAR_SIZE) == HELIX_P256_SCALAR_SIZE;
  EC_KEY_free(key);
  EVP_PKEY_free(any);
  BIO_free(source);
  return is_good;
}

int helix_aes128gcm_seal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *text, size_t count, uint8_t *sealed) {
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  int made = 0, rest = 0;
  int is_good = context && EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, key, nonce) &&
                EVP_EncryptUpdate(context, sealed, &made, text, (int)count) &&
                EVP_EncryptFinal_ex(context, sealed + made, &rest) &&
                EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, HELIX_GCM_TAG_SIZE, sealed + made + rest);
  EVP_CIPHER_CTX_free(context);
  return is_good;
}
