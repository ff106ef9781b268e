package io.tidemark.connect.health;

/** Why a service refuses until an operator has changed something. */
public enum Refusal {
  /** A permission is missing. */
  ACCESS,
  /** Who we are is not believed, or not known. */
  LOGIN,
  /** Its host is unknown, or something else answers there. */
  ADDRESS,
  /** There is no more room for us. */
  QUOTA,
  /** Another limit, a name that somebody else has, or what a table cannot take. */
  OTHER
}
