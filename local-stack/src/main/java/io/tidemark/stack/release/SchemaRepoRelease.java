package io.tidemark.stack.release;

/** The release of schema-repo, the registry of AVRO-1124. */
public enum SchemaRepoRelease implements Release {
  SCHEMA_REPO_0_1;

  @Override
  public String folder() {
    return "schema-repo";
  }

  @Override
  public String artifact() {
    return "schema-repo-server";
  }
}
