package io.tidemark.connect.hive;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.hdfs.HadoopUser;
import io.tidemark.registry.security.Secret;
import io.tidemark.registry.security.TlsSettings;
import io.tidemark.registry.security.TlsStore;
import io.tidemark.stack.security.Certificates;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.thrift.transport.TSSLTransportFactory.TSSLTransportParameters;

/** A certificate for localhost, for a server that requires a certificate of its clients too. */
record TlsFiles(Certificates certificates) {

  static TlsFiles create(Path directory) throws IOException, InterruptedException {
    Certificates certificates = new Certificates(directory);
    Process keytool =
        new ProcessBuilder(certificates.creation(Path.of(System.getProperty("java.home"))))
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    certificates.writeTrustStore();
    return new TlsFiles(certificates);
  }

  TSSLTransportParameters server() {
    TSSLTransportParameters parameters = new TSSLTransportParameters();
    parameters.setKeyStore(
        certificates.keyStore().toString(), Certificates.PASSWORD, null, Certificates.TYPE);
    parameters.setTrustStore(
        certificates.trustStore().toString(), Certificates.PASSWORD, null, Certificates.TYPE);
    parameters.requireClientAuth(true);
    return parameters;
  }

  /** Clients that trust the certificate and have it themselves, or have none. */
  MetastoreAccess client(boolean withCertificate) {
    Optional<TlsStore> keys =
        withCertificate ? Optional.of(store(certificates.keyStore())) : Optional.empty();
    return new MetastoreAccess(
        HadoopUser.OF_THE_PROCESS,
        Optional.empty(),
        Optional.of(
            new TlsSettings(keys, Optional.of(store(certificates.trustStore())), true, List.of())));
  }

  private static TlsStore store(Path file) {
    return new TlsStore.OfFile(
        file, TlsStore.Type.PKCS12, new Secret(Certificates.PASSWORD), Secret.NONE);
  }
}
