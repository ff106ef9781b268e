package io.tidemark.connect.it.permissions;

import io.tidemark.connect.it.stack.RealStack;
import java.util.List;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** The permission of a user for an operation on one topic or consumer group of Kafka. */
public record KafkaRight(String user, ResourceType type, String resource, AclOperation operation) {

  public void allow(RealStack stack) {
    RealStack.joined(stack.admin().createAcls(List.of(acl())).all(), "allowing " + this);
  }

  public void takeAway(RealStack stack) {
    RealStack.joined(
        stack.admin().deleteAcls(List.of(acl().toFilter())).all(), "taking away " + this);
  }

  private AclBinding acl() {
    return new AclBinding(
        new ResourcePattern(type, resource, PatternType.LITERAL),
        new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW));
  }
}
