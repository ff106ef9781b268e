/*
 * Completeness, as docs/LEDGER.md and the reckoner's decisions define it, for spin.
 *
 * A table has a topic with two topic-partitions, and other topics that are always covered. Kafka
 * retains a record from its write on. A record of an open transaction reaches no reader before the
 * transaction ends. Each log commits the offsets below the last stable one, publishes, registers,
 * accounts and folds. Zombies are covered: any task may do
 * each step at any time after the one before. Two reckoners work on one ledger. Their answers from
 * Kafka and their listings of the inbox may be outdated. An append at a number that exists fails. A
 * reckoner may die between any two steps. One rename or one request is atomic.
 *
 * The topic may be deleted, and recreated with another id and fewer records or topic-partitions,
 * while a task has its records and may still commit them. An operator may retire it before. Another
 * cluster may answer instead: it lacks the topic, or has another one, or a copy with the same id.
 *
 * Asserted, when a reckoner states that a time is complete: each record that this topic or a former
 * one got up to that time is registered, or was deleted with its topic and an operator has
 * acknowledged it; and the ledger has counted each record of the entries that it took, or its sums
 * are marked as partial. Whenever a reckoner dies, each account that was written is taken, or still
 * in the inbox.
 *
 * Each BUG_... plants a bug, which spin must find; see check.
 */

#ifndef RECORDS
#define RECORDS 1   /* records of a topic-partition in one life of the topic */
#endif
#ifndef TICKS
#define TICKS 2     /* times for which snapshots are taken */
#endif
#ifndef REMAKES
#define REMAKES 0   /* how often the topic is recreated after it was deleted */
#endif
#ifndef DELETIONS
#define DELETIONS REMAKES
#endif
#ifndef RETIRES
#define RETIRES 0   /* 1: an operator stops the producers, and declares the topic retired */
#endif
/* ALONE: the table has no other topic. UNOPENED: the logs have no claims yet. */
/* FEW_STEPS: no transactions; an entry is published, registered and accounted in one step, and never folded. */
#ifndef OTHERS
#define OTHERS 0    /* snapshots that another cluster answers */
#endif
#ifndef GROWS
#define GROWS 0     /* 1: the second topic-partition is created later */
#endif
#ifndef LOSSES
#define LOSSES 1    /* accounts that could not be written; the log is folded without them */
#endif
#ifndef SEEKS
#define SEEKS 0     /* rewinds after which the consumer keeps its former position */
#endif
#ifndef CRASHES
#define CRASHES 1   /* of reckoners */
#endif

#ifndef RECKONERS
#define RECKONERS 2
#endif

#define PARTS 2
#ifndef MADE
#define MADE PARTS  /* topic-partitions of the first topic in the end */
#endif
#ifndef AGAIN
#define AGAIN PARTS /* topic-partitions of the recreated topic */
#endif
#define LIVES (REMAKES + 1)
#ifdef UNOPENED
#define FIRST_LIFE 0
#define ENTRIES ((RECORDS + 1) * LIVES)                     /* each life begins with a claim */
#else
#define FIRST_LIFE 1
#define ENTRIES ((RECORDS + 1) * LIVES - 1)                 /* the first claims are taken */
#endif
#define E(p, n) ((p) * ENTRIES + (n) - 1)                   /* entry n of a log, from 1 */
#define W(l, p) (((l) - 1) * PARTS + (p))                   /* a topic-partition of a life, from 1 */
#define R(l, p, o) (W(l, p) * RECORDS + (o))                /* a record of a life */

#define NONE 0
#define OPEN 1
#define ACKNOWLEDGED 2

/* Kafka. */
byte life = 1;                          /* the topic's id */
byte made = MADE - GROWS;               /* topic-partitions; 0: deleted */
byte highest[LIVES * PARTS];            /* high watermarks, the last ones of former topics */
byte stable[PARTS];                     /* records from here on are of open transactions */
byte formerLife, former[PARTS];         /* records that were delivered before the topic was deleted */
byte deletions, others, stopped;
byte clock;
byte heldLife[TICKS + 1];               /* for the assertion: Kafka's topic and ends at a time */
byte heldEnd[(TICKS + 1) * PARTS];

/* The logs. An entry has one offset: a record, or an offset that was passed over. */
byte committed[PARTS], published[PARTS], registered[PARTS], folded[PARTS];
byte lifeOf[PARTS * ENTRIES], nextOf[PARTS * ENTRIES];
bool real[PARTS * ENTRIES];
bool visible[LIVES * PARTS * RECORDS];
bool known[LIVES * PARTS * RECORDS];    /* an operator has acknowledged that it is deleted */
byte accounted[PARTS];                  /* entries whose account was written or lost */
byte unwritten[PARTS];                  /* the last entry with a lost account; the next account has it again */
byte losses, seeks, crashes;

/* The inbox: a bit for each entry that an account contains. */
byte inbox[PARTS];

/* The ledger. */
byte number;
byte taken[PARTS];
bool askedOther;                        /* another cluster answered */
byte asked, askedLife, askedMade, askedEnd[PARTS]; /* the snapshot; without the topic if askedLife is 0 */
byte askedNumber, coveredNumber;        /* entries of the snapshot, and of the last one that the topic covered */
byte topicLife, topicMade;              /* in the last snapshot that has the topic */
bool gone;                              /* the cluster that answered does not have the topic */
byte retired, retiredNumber;            /* the life that an operator declared retired, and the entry */
byte deleted[LIVES * PARTS];            /* holds of the offsets that had not landed, without end */
byte complete;
byte counted;
bool partial;

#define NEXT(p, n) ((n) == 0 -> 0 : nextOf[E(p, n)]) /* the log's next offset after entry n */
/* The life of the topic to which entry n belongs; 0 before the first one. */
#define LIFE(p, n) ((n) == 0 -> FIRST_LIFE : lifeOf[E(p, n)])

/* Sets k to the ledger's position in a topic-partition of a life. */
#define LANDED(l, p) \
  k = 0; \
  n = 1; \
  do \
  :: n <= taken[p] -> \
       if \
       :: LIFE(p, n) == (l) -> k = NEXT(p, n) \
       :: else \
       fi; \
       n++ \
  :: else -> break \
  od;

#ifdef FEW_STEPS
#define COMMIT(p) stable[p]++
#else
#define COMMIT(p)
#endif

active proctype Kafka() {
  byte p;
end:
  do
  :: atomic { made == 1 && GROWS == 1 && life == 1 -> made = 2 }
  :: atomic { made > 0 && stopped != life && highest[W(life, 0)] < RECORDS -> highest[W(life, 0)]++; COMMIT(0) }
  :: atomic { made == 2 && stopped != life && highest[W(life, 1)] < RECORDS -> highest[W(life, 1)]++; COMMIT(1) }
  :: atomic { made > 0 && stable[0] < highest[W(life, 0)] -> stable[0] = highest[W(life, 0)] }
  :: atomic { made > 0 && stable[1] < highest[W(life, 1)] -> stable[1] = highest[W(life, 1)] }
  :: atomic { made > 0 && deletions < DELETIONS ->
       deletions++;
       made = 0;
       formerLife = life; former[0] = stable[0]; former[1] = stable[1];
       stable[0] = 0; stable[1] = 0
     }
  :: atomic { made == 0 && life < LIVES ->
       life++;
       made = AGAIN
     }
  :: atomic { clock < TICKS ->
       clock++;
       heldLife[clock] = life;
       heldEnd[clock * PARTS] = highest[W(life, 0)];
       heldEnd[clock * PARTS + 1] = highest[W(life, 1)]
     }
  od
}

/* The end of the records of a life that a task may have. */
#define DELIVERED(p, l) ((l) == life && made > p -> stable[p] : ((l) == formerLife -> former[p] : 0))

proctype Log(byte p) {
  byte n;
end:
  do
  :: atomic { committed[p] < ENTRIES && NEXT(p, committed[p]) < DELIVERED(p, LIFE(p, committed[p])) ->
       committed[p]++;
       n = committed[p];
       lifeOf[E(p, n)] = LIFE(p, n - 1);
       nextOf[E(p, n)] = 1 + NEXT(p, n - 1);
       real[E(p, n)] = true;
       n = 0
     }
  :: atomic { committed[p] < ENTRIES && LIFE(p, committed[p]) != life && made > p ->
       committed[p]++;
       lifeOf[E(p, committed[p])] = life;
       nextOf[E(p, committed[p])] = 0
     }
#ifdef BUG_STALE_POSITION
  :: atomic { seeks < SEEKS && committed[p] < ENTRIES && LIFE(p, committed[p]) == life && NEXT(p, committed[p]) < stable[p] ->
       /* the record was delivered, its batch was discarded, and the position is still after it */
       seeks++;
       committed[p]++;
       n = committed[p];
       lifeOf[E(p, n)] = life;
       nextOf[E(p, n)] = 1 + NEXT(p, n - 1);
       n = 0
     }
#endif
#ifdef FEW_STEPS
  :: atomic { published[p] < committed[p] ->
       published[p]++;
       registered[p]++;
       accounted[p]++;
       n = registered[p];
       if
       :: real[E(p, n)] -> visible[R(lifeOf[E(p, n)], p, nextOf[E(p, n)] - 1)] = true
       :: else
       fi;
       inbox[p] = inbox[p] | (1 << n);
       n = 0
     }
#else
  :: atomic { published[p] < committed[p] -> published[p]++ }
  :: atomic { registered[p] < published[p] ->
       registered[p]++;
       n = registered[p];
       if
       :: real[E(p, n)] -> visible[R(lifeOf[E(p, n)], p, nextOf[E(p, n)] - 1)] = true
       :: else
       fi;
       n = 0
     }
#if defined(BUG_COVERED_BY_COMMITTED)
  :: atomic { accounted[p] < committed[p] ->
#elif defined(BUG_COVERED_BY_PUBLISHED)
  :: atomic { accounted[p] < published[p] ->
#else
  :: atomic { accounted[p] < registered[p] ->
#endif
       accounted[p]++;
       inbox[p] = inbox[p] | (1 << accounted[p])
     }
  :: atomic { accounted[p] < registered[p] && losses < LOSSES ->
       losses++;
       accounted[p]++;
       unwritten[p] = accounted[p]
     }
  :: atomic { unwritten[p] > 0 && registered[p] > 0 -> /* once an hour: the newest settled entry again */
       unwritten[p] = 0;
       inbox[p] = inbox[p] | (1 << accounted[p])
     }
#ifdef BUG_FOLD_FIRST
  :: atomic { folded[p] < registered[p] -> folded[p]++ }
#else
  :: atomic { folded[p] < accounted[p] && folded[p] < registered[p] -> folded[p]++ }
#endif
#endif
  od
}

/* A retired topic covered a snapshot that was taken after the declaration. */
#ifdef BUG_RETIRED_UNCOVERED
#define RETIRED(l) (retired == (l))
#else
#define RETIRED(l) (retired == (l) && retiredNumber < coveredNumber)
#endif

/* Holds the offsets of a deleted topic-partition that had not landed. */
#ifdef BUG_DELETED_BOUNDED
#define HOLD(l, p) \
  LANDED(l, p) \
  if \
  :: deleted[W(l, p)] == NONE && askedLife == (l) && complete < asked && k < askedEnd[p] -> deleted[W(l, p)] = OPEN \
  :: else \
  fi;
#else
#define HOLD(l, p) \
  if \
  :: deleted[W(l, p)] == NONE && !RETIRED(l) -> deleted[W(l, p)] = OPEN \
  :: else \
  fi;
#endif

/* Dies, and restarts without its memory. */
#define CRASH :: atomic { crashes < CRASHES -> crashes++; assert(THERE(0) && THERE(1)); goto again }

/* The last account that was written is taken, or in the inbox. */
#define THERE(p) (accounted[p] <= taken[p] || inbox[p] >= (1 << accounted[p]) || unwritten[p] > 0)

proctype Reckoner() {
  byte mine;       /* number of the ledger's last entry when it was read */
  byte tick, l, m, p, n, k;
  byte e[PARTS];
  byte a[PARTS];   /* the listed inbox */
  byte to[PARTS];
  bool holds, moved, other;
#ifdef BUG_PART_MISSING
  byte first;
  first = made;    /* described once */
#endif

again:
  atomic { mine = 0; tick = 0; l = 0; m = 0; p = 0; n = 0; k = 0; e[0] = 0; e[1] = 0; a[0] = 0; a[1] = 0; to[0] = 0; to[1] = 0; holds = false; moved = false; other = false };
end:
  do
  :: atomic { clock > asked -> mine = number; tick = clock; l = life; m = made };
     e[0] = (m > 0 -> highest[W(life, 0)] : 0);
     e[1] = (m > 1 -> highest[W(life, 1)] : 0);
#ifdef BUG_STABLE_OFFSETS
     atomic { e[0] = stable[0]; e[1] = (m > 1 -> stable[1] : 0) };
#endif
     if
     :: life != l || made != m -> goto again
     :: else
     CRASH
     fi;
#ifdef BUG_CLOCK_LATE
     tick = clock;
#endif
#ifdef BUG_PART_MISSING
     m = first;
#endif
     goto append
#if OTHERS
  :: atomic { clock > asked && others < OTHERS -> others++; mine = number; tick = clock; other = true };
     atomic {
       if
       :: m = 0
       :: m = 2; l = life /* a copy of the topic */
       :: m = 2; l = LIVES + 1
       fi;
       if
       :: true
       :: m > 0 -> e[0] = RECORDS
       fi;
       if
       :: true
       :: m > 0 -> e[1] = RECORDS
       fi
     };
append:
#else
  :: false ->
append:
#endif
     atomic {
       if
       :: number != mine -> skip /* another reckoner was there */
       :: number == mine && tick > asked ->
            number++;
#ifdef BUG_CLUSTER
            other = false;
#endif
            gone = (m == 0);
            askedOther = other;
            if
            :: !other || gone || (LIFE(0, taken[0]) == 0 && LIFE(1, taken[1]) == 0) ->
                 /* The topics that the ledger knew, and that did not answer. */
                 p = 0;
                 do
                 :: p < PARTS ->
                      if
#if defined(BUG_FEWER_PARTS)
                      :: p < m || gone ->
#elif defined(BUG_GONE)
                      :: !gone ->
#else
                      :: true ->
#endif
                           if
                           :: topicLife != 0 && topicLife <= LIVES && (topicLife != l || gone) && p < topicMade -> HOLD(topicLife, p)
                           :: else
                           fi;
                           if
                           :: LIFE(p, taken[p]) > 0 && (LIFE(p, taken[p]) != l || gone) -> HOLD(LIFE(p, taken[p]), p)
                           :: else
                           fi
                      :: else
                      fi;
                      p++
                 :: else -> break
                 od;
                 askedLife = (gone -> 0 : l); askedMade = m; askedEnd[0] = e[0]; askedEnd[1] = e[1];
                 if
                 :: !gone && l <= LIVES ->
                      /* The topic exists: it was not deleted. */
                      topicLife = l; topicMade = m;
                      p = 0;
                      do
                      :: p < PARTS ->
                           deleted[W(l, p)] = NONE;
                           n = 0;
                           do
                           :: n < RECORDS -> known[R(l, p, n)] = false; n++
                           :: else -> break
                           od;
                           p++
                      :: else -> break
                      od
                 :: !gone && l > LIVES -> topicLife = l; topicMade = m
                 :: else
                 fi
            :: else -> askedLife = 0; askedMade = 0; askedEnd[0] = 0; askedEnd[1] = 0 /* left out */
            fi;
            asked = tick; askedNumber = number;
            p = 0; n = 0; k = 0
       :: else -> skip
       fi
     };
     goto again

  :: atomic { inbox[0] != 0 || inbox[1] != 0 || complete < asked -> mine = number; a[0] = inbox[0]; a[1] = inbox[1] };
#ifdef BUG_INBOX_FIRST
     atomic { inbox[0] = inbox[0] & ~a[0]; inbox[1] = inbox[1] & ~a[1] };
     if :: true CRASH fi;
#endif
     /* Takes: entries without an account, below the last one with an account, are read from the log. */
     atomic {
       if
       :: number != mine -> goto again
       :: else
       fi;
       moved = false;
       p = 0;
       do
       :: p < PARTS ->
            to[p] = taken[p];
            k = ENTRIES;
            do
            :: k > 0 && (a[p] & (1 << k)) -> break
            :: k > 0 && !(a[p] & (1 << k)) -> k--
            :: else -> break
            od;
            if
            :: k > taken[p] ->
                 moved = true;
                 n = taken[p] + 1;
                 do
                 :: n <= k ->
                      if
                      :: (a[p] & (1 << n)) || n > folded[p] -> counted = counted + real[E(p, n)]
#ifndef BUG_FOLD_FIRST
                      :: else -> partial = true
#else
                      :: else
#endif
                      fi;
                      to[p] = n;
                      n++
                 :: else -> break
                 od;
                 n = taken[p] + 1;
                 taken[p] = to[p];
                 m = n;
                 do
                 :: m <= taken[p] ->
                      if
#ifndef BUG_LEFT
                      :: LIFE(p, m - 1) > 0 && LIFE(p, m) != LIFE(p, m - 1) -> HOLD(LIFE(p, m - 1), p) /* the log has left a topic */
#endif
                      :: else
                      fi;
                      m++
                 :: else -> break
                 od;
                 m = 0
            :: else
            fi;
            p++
       :: else -> break
       od;
       /* Covered? */
       holds = (complete == asked) || (askedLife == 0 && !gone);
#ifdef ALONE
       holds = holds || gone; /* a table without topics */
#else
       holds = holds || askedOther; /* the logs of the other topics are of this cluster */
#endif
       p = 0;
       do
       :: p < PARTS ->
            l = 1;
            do
            :: l <= LIVES ->
                 LANDED(l, p)
                 holds = holds || (deleted[W(l, p)] == OPEN && (l != askedLife || k < askedEnd[p]));
                 l++
            :: else -> break
            od;
            l = 0;
            holds = holds || (p < askedMade && (NEXT(p, taken[p]) < askedEnd[p]
#if defined(BUG_END_ZERO)
              || (askedEnd[p] > 0 && (LIFE(p, taken[p]) != askedLife || askedOther))
#elif defined(BUG_TOPIC_ID)
              || askedOther
#else
              || LIFE(p, taken[p]) != askedLife || askedOther
#endif
              ));
            p++
       :: else -> break
       od;
       if
       :: !holds ->
            moved = true;
            complete = asked;
            coveredNumber = (gone -> coveredNumber : askedNumber);
#ifdef RETIRED_COMPLETE
            assert(!(gone && complete == TICKS && highest[0] > 0 && deleted[W(1, 0)] == NONE && deleted[W(1, 1)] == NONE));
#endif
            l = 1;
            do
            :: l <= heldLife[complete] ->
                 p = 0;
                 do
                 :: p < PARTS ->
                      n = 0;
                      do
                      :: n < (l < heldLife[complete] -> highest[W(l, p)] : heldEnd[complete * PARTS + p]) ->
                           assert(visible[R(l, p, n)] || known[R(l, p, n)]);
                           n++
                      :: else -> break
                      od;
                      p++
                 :: else -> break
                 od;
                 l++
            :: else -> break
            od;
            l = 0;
            k = 0;
            p = 0;
            do
            :: p < PARTS ->
                 n = 1;
                 do
                 :: n <= taken[p] -> k = k + real[E(p, n)]; n++
                 :: else -> break
                 od;
                 p++
            :: else -> break
            od;
            assert(partial || k == counted)
       :: else
       fi;
       if
       :: moved -> number++
       :: else
       fi;
       p = 0; n = 0; k = 0; to[0] = 0; to[1] = 0; holds = false
     };
     if :: true CRASH fi;
     /* The entry is appended: delete the accounts that it took. */
     atomic {
       if
       :: moved || a[0] != 0 || a[1] != 0 -> inbox[0] = inbox[0] & ~a[0]; inbox[1] = inbox[1] & ~a[1]
       :: else
       fi
     };
     goto again
  od
}

/* Acknowledges holds at some time. Retires a topic after its producers have stopped. */
active proctype Operator() {
  byte l, p, n, k;
end:
  do
  :: atomic {
       if
       :: deleted[W(1, 0)] == OPEN -> l = 1; p = 0
       :: deleted[W(1, 1)] == OPEN -> l = 1; p = 1
#if LIVES > 1
       :: deleted[W(2, 0)] == OPEN -> l = 2; p = 0
       :: deleted[W(2, 1)] == OPEN -> l = 2; p = 1
#endif
       fi;
       LANDED(l, p)
       do
       :: k < RECORDS -> known[R(l, p, k)] = true; k++
       :: else -> break
       od;
       deleted[W(l, p)] = ACKNOWLEDGED;
       number++;
       l = 0; p = 0; n = 0; k = 0
     }
#if RETIRES
  :: atomic { made > 0 && stopped == 0 -> stopped = life }
  :: atomic { stopped > 0 && retired == 0 && topicLife == stopped -> number++; retired = stopped; retiredNumber = number }
#endif
  od
}

init {
  atomic { run Log(0); run Log(1); run Reckoner() }
#if RECKONERS > 1
  run Reckoner()
#endif
}
