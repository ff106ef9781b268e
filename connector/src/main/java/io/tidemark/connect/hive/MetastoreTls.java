package io.tidemark.connect.hive;

import java.util.Optional;
import org.apache.thrift.transport.TSSLTransportFactory.TSSLTransportParameters;

/**
 * The settings of TLS to Metastores.
 *
 * @param trusted the certificates to trust
 * @param own the certificate of this client, if the Metastore requires one
 */
public record MetastoreTls(Store trusted, Optional<Store> own) {

  /** A file with certificates. An empty type means that of its default. */
  public record Store(String path, String password, String type) {
    @Override
    public String toString() {
      return path; // without the password
    }
  }

  TSSLTransportParameters parameters() {
    TSSLTransportParameters parameters = new TSSLTransportParameters();
    parameters.setTrustStore(trusted.path(), trusted.password(), null, trusted.type());
    own.ifPresent(
        store -> parameters.setKeyStore(store.path(), store.password(), null, store.type()));
    return parameters;
  }
}
