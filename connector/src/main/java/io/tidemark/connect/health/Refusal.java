package io.tidemark.connect.health;

/** The reason why a service refuses a call until an operator has changed something. */
public enum Refusal {
  ACCESS,
  LOGIN,
  /** The service's host is unknown, or another server responds at its address. */
  ADDRESS,
  QUOTA,
  /** Another limit is reached, a name is already in use, or a table cannot accept the records. */
  OTHER
}
