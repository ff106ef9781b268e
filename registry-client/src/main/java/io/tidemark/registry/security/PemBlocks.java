package io.tidemark.registry.security;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Reads the certificates and the private key from text in PEM (RFC 7468).
 *
 * <pre>
 *   -----BEGIN CERTIFICATE-----
 *   MIIB...
 *   -----END CERTIFICATE-----
 * </pre>
 */
final class PemBlocks {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");
  private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "EdDSA", "DSA");

  private final String text;

  PemBlocks(String text) {
    this.text = text;
  }

  /** Returns the certificates in the order of the text; a chain begins with the client's own. */
  List<Certificate> certificates() throws GeneralSecurityException, IOException {
    List<Certificate> certificates = new ArrayList<>();
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    Matcher blocks = BLOCK.matcher(text);
    while (blocks.find()) {
      if (blocks.group(1).equals("CERTIFICATE")) {
        certificates.add(
            factory.generateCertificate(new ByteArrayInputStream(decode(blocks.group(2)))));
      }
    }
    if (certificates.isEmpty()) {
      throw new IOException("it has no block BEGIN CERTIFICATE");
    }
    return certificates;
  }

  /** Returns the only private key. */
  PrivateKey key(char[] password) throws GeneralSecurityException, IOException {
    Matcher blocks = BLOCK.matcher(text);
    while (blocks.find()) {
      switch (blocks.group(1)) {
        case "PRIVATE KEY" -> {
          return plain(new PKCS8EncodedKeySpec(decode(blocks.group(2))));
        }
        case "ENCRYPTED PRIVATE KEY" -> {
          return plain(decrypt(decode(blocks.group(2)), password));
        }
        case "RSA PRIVATE KEY", "EC PRIVATE KEY" ->
            throw new IOException(
                "its private key is not in PKCS#8. Convert it: openssl pkcs8 -topk8 -in key.pem");
        default -> {
          // A certificate, or another block that a store may contain.
        }
      }
    }
    throw new IOException("it has no block BEGIN PRIVATE KEY");
  }

  private static PKCS8EncodedKeySpec decrypt(byte[] encrypted, char[] password)
      throws GeneralSecurityException, IOException {
    EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(encrypted);
    // With PBES2 (RFC 8018), the text of the parameters contains the algorithms.
    String algorithm =
        info.getAlgName().equals("PBES2") || info.getAlgName().equals("1.2.840.113549.1.5.13")
            ? info.getAlgParameters().toString()
            : info.getAlgName();
    Cipher cipher = Cipher.getInstance(algorithm);
    cipher.init(
        Cipher.DECRYPT_MODE,
        SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(password)),
        info.getAlgParameters());
    return info.getKeySpec(cipher);
  }

  /** Tries each factory: PKCS#8 contains the key's algorithm, and other factories reject it. */
  private static PrivateKey plain(PKCS8EncodedKeySpec spec) throws GeneralSecurityException {
    for (String algorithm : KEY_ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException e) {
        // The key has another algorithm, or is damaged: an exception follows below.
      }
    }
    throw new InvalidKeySpecException("its private key is not of one of " + KEY_ALGORITHMS);
  }

  private static byte[] decode(String base64) throws IOException {
    try {
      return Base64.getMimeDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      // Without the cause: its message may contain the key.
      throw new IOException("a block of it is not Base64");
    }
  }
}
