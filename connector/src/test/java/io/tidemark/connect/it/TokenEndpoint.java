package io.tidemark.connect.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/**
 * A server of OAuth 2: it gives signed tokens to one client that knows its secret (grant type
 * {@code client_credentials}), and shows the key with which brokers validate them.
 */
final class TokenEndpoint implements AutoCloseable {
  static final String AUDIENCE = "kafka";

  private static final String KEY_ID = "key-1";
  private static final int LIFE_SECONDS = 600;
  private static final int KEY_BITS = 2_048;
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private final String client;
  private final String authorization;
  private final KeyPair keys;
  private final HttpServer server;

  TokenEndpoint(String client, String secret) throws IOException, GeneralSecurityException {
    this.client = client;
    this.authorization =
        "Basic " + Base64.getEncoder().encodeToString((client + ":" + secret).getBytes(UTF_8));
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(KEY_BITS);
    keys = generator.generateKeyPair();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/token", this::token);
    server.createContext("/keys", exchange -> answer(exchange, 200, publicKey()));
    server.start();
  }

  String tokenUrl() {
    return url("/token");
  }

  String keysUrl() {
    return url("/keys");
  }

  String urls() {
    return tokenUrl() + "," + keysUrl();
  }

  private String url(String path) {
    return "http://localhost:" + server.getAddress().getPort() + path;
  }

  private void token(HttpExchange exchange) throws IOException {
    if (!authorization.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      answer(exchange, 401, "{\"error\":\"invalid_client\"}");
      return;
    }
    answer(
        exchange,
        200,
        "{\"access_token\":\"%s\",\"token_type\":\"Bearer\",\"expires_in\":%d}"
            .formatted(signed(), LIFE_SECONDS));
  }

  private String signed() {
    long now = Instant.now().getEpochSecond();
    String claims =
        "{\"sub\":\"%s\",\"aud\":\"%s\",\"scope\":\"kafka\",\"iat\":%d,\"exp\":%d}"
            .formatted(client, AUDIENCE, now, now + LIFE_SECONDS);
    String text =
        encoded(("{\"alg\":\"RS256\",\"kid\":\"" + KEY_ID + "\"}").getBytes(UTF_8))
            + "."
            + encoded(claims.getBytes(UTF_8));
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(keys.getPrivate());
      signature.update(text.getBytes(UTF_8));
      return text + "." + encoded(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private String publicKey() {
    RSAPublicKey key = (RSAPublicKey) keys.getPublic();
    return "{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\",\"alg\":\"RS256\",\"kid\":\"%s\",\"n\":\"%s\",\"e\":\"%s\"}]}"
        .formatted(KEY_ID, number(key.getModulus()), number(key.getPublicExponent()));
  }

  /** A number without the leading zero byte of its sign. */
  private static String number(BigInteger number) {
    byte[] bytes = number.toByteArray();
    return encoded(
        bytes[0] == 0 && bytes.length > 1 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes);
  }

  private static String encoded(byte[] bytes) {
    return BASE64.encodeToString(bytes);
  }

  private static void answer(HttpExchange exchange, int status, String json) throws IOException {
    byte[] bytes = json.getBytes(UTF_8);
    exchange.getRequestBody().readAllBytes();
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
