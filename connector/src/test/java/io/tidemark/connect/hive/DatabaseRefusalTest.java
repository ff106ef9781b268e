package io.tidemark.connect.hive;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hive.metastore.api.MetaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseRefusalTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.sql.SQLDataException: A truncation error was encountered trying to shrink VARCHAR 'x' to length 128.",
        "org.postgresql.util.PSQLException: ERROR: value too long for type character varying(128)",
        "org.postgresql.util.PSQLException: ERROR: character with byte sequence 0xf0 0x9f 0x8c 0x8a in encoding \"UTF8\" has no equivalent in encoding \"LATIN1\"",
        "com.mysql.cj.jdbc.exceptions.MysqlDataTruncation: Data truncation: Data too long for column 'PKEY_NAME' at row 1",
        "java.sql.SQLException: Incorrect string value: '\\xF0\\x9F\\x8C\\x8A' for column 'PART_NAME' at row 1",
        "java.sql.SQLException: ORA-12899: value too large for column \"HIVE\".\"PARTITIONS\".\"PART_NAME\"",
        "com.microsoft.sqlserver.jdbc.SQLServerException: String or binary data would be truncated.",
        "Partition value 'a b' contains a character not matched by whitelist pattern '[a-z]*'.",
      })
  void whatADatabaseCanNeverHoldIsARefusal(String said) {
    assertThat(
            DatabaseRefusal.in(
                new MetaException(
                    "javax.jdo.JDODataStoreException: Put request failed\nNestedThrowables:\n"
                        + said
                        + "\n\tat org.datanucleus")))
        .hasValueSatisfying(shown -> assertThat(said).endsWith(shown));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Got exception: java.net.ConnectException Call From metastore to namenode:8020 failed",
        "org.apache.hadoop.hdfs.server.namenode.SafeModeException: Name node is in safe mode.",
        "com.mysql.cj.jdbc.exceptions.CommunicationsException: Communications link failure",
        "org.postgresql.util.PSQLException: FATAL: the database system is starting up",
        "java.sql.SQLIntegrityConstraintViolationException: Duplicate entry 'dt=2026-11-21' for key 'UNIQUEPARTITION'",
        "java.sql.SQLTransactionRollbackException: Deadlock found when trying to get lock",
        "Put request failed : INSERT INTO PARTITIONS",
        "Permission denied: user=hive, access=WRITE",
      })
  void whatMayPassIsNone(String said) {
    assertThat(DatabaseRefusal.in(new MetaException(said))).isEmpty();
  }

  @Test
  void partitionTakenForAnotherIsTold() {
    var taken =
        new MetaException(
            "Expecting a partition with name place=west , but metastore is returning a partition with name place=west.");

    assertThat(DatabaseRefusal.in(taken)).isPresent();
    assertThat(DatabaseRefusal.takesForAnother(taken)).isTrue();
    assertThat(DatabaseRefusal.takesForAnother(new MetaException("Data too long for column 'X'")))
        .isFalse();
  }

  @Test
  void errorWithoutAMessageIsNone() {
    assertThat(DatabaseRefusal.in(new MetaException())).isEmpty();
  }
}
