package io.tidemark.benchmarks.schemarepo;

import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.schemarepo.CacheRepository;
import org.schemarepo.InMemoryCache;
import org.schemarepo.Subject;
import org.schemarepo.client.RESTRepositoryClient;
import org.schemarepo.json.GsonJsonUtil;

/**
 * The client that schema-repo comes with, and its cache in memory: it finds the text of a schema.
 * Safe for use by many threads.
 */
public final class SchemaRepoClient implements IntFunction<String> {
  private final Subject subject;
  private final String[] ids;

  private SchemaRepoClient(Subject subject, int ids) {
    this.subject = subject;
    this.ids = IntStream.range(0, ids).mapToObj(Integer::toString).toArray(String[]::new);
  }

  /**
   * Opens a client and finds the subject, as its API wants it before any id.
   *
   * @param url example: {@code http://localhost:2876/schema-repo}
   * @param ids the number of ids, which begin at 0
   */
  public static IntFunction<String> of(String url, String subject, int ids) {
    var client = new RESTRepositoryClient(url, new GsonJsonUtil(), false);
    return new SchemaRepoClient(
        new CacheRepository(client, new InMemoryCache()).lookup(subject), ids);
  }

  @Override
  public String apply(int id) {
    return subject.lookupById(ids[id]).getSchema();
  }
}
