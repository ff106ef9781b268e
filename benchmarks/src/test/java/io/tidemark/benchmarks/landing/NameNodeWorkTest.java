package io.tidemark.benchmarks.landing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NameNodeWorkTest {

  @Test
  void callsAreThoseOfClients() throws IOException {
    String answer =
        """
        {"beans": [{
          "name": "Hadoop:service=NameNode,name=RpcDetailedActivityForPort8020",
          "tag.port": "8020",
          "CreateNumOps": 12, "CreateAvgTime": 0.5,
          "RenameNumOps": 3, "RenameAvgTime": 0.1,
          "OverallCreateNumOps": 12, "OverallCreateAvgTime": 0.7,
          "SendHeartbeatNumOps": 500, "SendHeartbeatAvgTime": 0.0
        }]}
        """;

    assertThat(NameNodeWork.callsIn(new ObjectMapper().readTree(answer)))
        .isEqualTo(Map.of("Create", 12L, "Rename", 3L));
  }

  @Test
  void onlyCallsThatHaveBeenSentSinceAreInADifference() {
    assertThat(
            NameNodeWork.difference(
                Map.of("Create", 12L, "Rename", 3L),
                Map.of("Create", 15L, "Rename", 3L, "Mkdirs", 1L)))
        .isEqualTo(Map.of("Create", 3L, "Mkdirs", 1L));
  }
}
