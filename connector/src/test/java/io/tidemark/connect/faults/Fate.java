package io.tidemark.connect.faults;

/** What becomes of one call of a service. */
enum Fate {
  SUCCEEDS,

  /** It has no effect, and its caller is told of an error. */
  FAILS,

  /** It takes effect, and its caller is told of an error. */
  LOSES_ITS_ANSWER,

  /** Its caller gives up and is told of an error; it takes effect later. */
  TAKES_EFFECT_LATE,

  /** The process sleeps, others take over from it, and then it makes the call. */
  SLEEPS_BEFORE,

  /** It takes effect; then the process sleeps, others take over from it, and it goes on. */
  SLEEPS_AFTER,

  /** The process dies and does not make the call. */
  DIES_BEFORE,

  /** It takes effect, and the process dies. */
  DIES_AFTER
}
