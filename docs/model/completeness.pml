/*
 * Completeness, as docs/PROTOCOL.md ("The ledger") and the reckoner's decisions define it, for spin.
 *
 * A topic has two topic-partitions. Kafka retains a record from its write on. A record of an open
 * transaction reaches no reader before the transaction ends. Each log commits the offsets below the
 * last stable one, publishes, registers, accounts and folds. Zombies are covered: any task may do
 * each step at any time after the one before. Two reckoners work on one ledger. Their answers from
 * Kafka and their listings of the inbox may be outdated. An append at a number that exists fails. A
 * reckoner may die between any two steps. One rename or one request is atomic.
 *
 * Asserted, when a reckoner states that a time is complete: each record that Kafka had at that time
 * is registered, or was deleted with its topic and an operator has acknowledged it (records whose
 * topic was deleted before the snapshot was taken are ignored); and the ledger has counted each
 * record of the entries that it took, or its sums are marked as partial. Whenever a reckoner dies,
 * each account that was written is taken, or still in the inbox.
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
#define REMAKES 0   /* how often the topic is deleted and recreated */
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
#define ENTRIES (RECORDS * (REMAKES + 1))
#define E(p, n) ((p) * ENTRIES + (n) - 1)                   /* entry n of a log, from 1 */
#define R(l, p, o) ((((l) - 1) * PARTS + (p)) * RECORDS + (o)) /* a record of a life */

/* Kafka. */
byte life = 1;
byte made = PARTS - GROWS;
byte highest[PARTS];                    /* high watermarks */
byte stable[PARTS];                     /* records from here on are of open transactions */
byte clock;
byte heldLife[TICKS + 1];               /* for the assertion: Kafka's topic and ends at a time */
byte heldEnd[(TICKS + 1) * PARTS];

/* The logs. An entry has one offset: a record, or an offset that was passed over. */
byte committed[PARTS], published[PARTS], registered[PARTS], folded[PARTS];
byte lifeOf[PARTS * ENTRIES], nextOf[PARTS * ENTRIES];
bool real[PARTS * ENTRIES];
bool visible[(REMAKES + 1) * PARTS * RECORDS];
bool known[(REMAKES + 1) * PARTS * RECORDS]; /* an operator has acknowledged that it is deleted */
byte accounted[PARTS];                  /* entries whose account was written or lost */
byte unwritten[PARTS];                  /* the last entry with a lost account; the next account has it again */
byte losses, seeks, crashes;

/* The inbox: a bit for each entry that an account contains. */
byte inbox[PARTS];

/* The ledger. */
byte number;
byte taken[PARTS];
byte asked, askedLife, askedMade, askedEnd[PARTS];
byte complete;
bool onHold[PARTS];
byte holdLife[PARTS], holdFrom[PARTS], holdTo[PARTS];
byte counted;
bool partial;

#define NEXT(p, n) ((n) == 0 -> 0 : nextOf[E(p, n)]) /* the log's next offset after entry n */
#define LIFE(p, n) ((n) == 0 -> 1 : lifeOf[E(p, n)])  /* the life of the topic to which it belongs */

active proctype Kafka() {
  byte p;
end:
  do
  :: atomic { made == 1 && GROWS == 1 -> made = 2 }
  :: atomic { highest[0] < RECORDS -> highest[0]++ }
  :: atomic { made == 2 && highest[1] < RECORDS -> highest[1]++ }
  :: atomic { stable[0] < highest[0] -> stable[0] = highest[0] }
  :: atomic { stable[1] < highest[1] -> stable[1] = highest[1] }
  :: atomic { life <= REMAKES ->
       life++; highest[0] = 0; highest[1] = 0; stable[0] = 0; stable[1] = 0;
       /* The assertion ignores records whose topic was deleted before the snapshot was taken. */
       p = asked + 1;
       do
       :: p <= clock -> heldEnd[p * PARTS] = 0; heldEnd[p * PARTS + 1] = 0; p++
       :: else -> break
       od;
       p = 0
     }
  :: atomic { clock < TICKS ->
       clock++;
       heldLife[clock] = life;
       heldEnd[clock * PARTS] = highest[0];
       heldEnd[clock * PARTS + 1] = highest[1]
     }
  od
}

proctype Log(byte p) {
  byte n;
end:
  do
  :: atomic { committed[p] < ENTRIES && LIFE(p, committed[p]) == life && NEXT(p, committed[p]) < stable[p] ->
       committed[p]++;
       n = committed[p];
       lifeOf[E(p, n)] = life;
       nextOf[E(p, n)] = 1 + NEXT(p, n - 1);
       real[E(p, n)] = true;
       n = 0
     }
  :: atomic { committed[p] < ENTRIES && LIFE(p, committed[p]) != life && stable[p] > 0 ->
       committed[p]++;
       n = committed[p];
       lifeOf[E(p, n)] = life;
       nextOf[E(p, n)] = 1;
       real[E(p, n)] = true;
       n = 0
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
  od
}

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
  bool holds, moved;
#ifdef BUG_PART_MISSING
  byte first;
  first = made;    /* described once */
#endif

again:
  atomic { mine = 0; tick = 0; l = 0; m = 0; p = 0; n = 0; k = 0; e[0] = 0; e[1] = 0; a[0] = 0; a[1] = 0; to[0] = 0; to[1] = 0; holds = false; moved = false };
end:
  do
  :: atomic { clock > asked -> mine = number; tick = clock; l = life; m = made };
     e[0] = (m > 0 -> highest[0] : 0);
     e[1] = (m > 1 -> highest[1] : 0);
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
     atomic {
       if
       :: number != mine -> skip /* another reckoner was there */
       :: number == mine && tick > asked ->
            number++;
            if
            :: askedLife != 0 && askedLife != l && complete < asked ->
                 /* hold the offsets of the former topic's snapshot that did not land */
                 p = 0;
                 do
                 :: p < askedMade ->
                      n = (LIFE(p, taken[p]) == askedLife -> NEXT(p, taken[p]) : (LIFE(p, taken[p]) > askedLife -> RECORDS : 0));
                      if
                      :: n < askedEnd[p] -> onHold[p] = true; holdLife[p] = askedLife; holdFrom[p] = n; holdTo[p] = askedEnd[p]
                      :: else
                      fi;
                      p++
                 :: else -> break
                 od;
                 p = 0; n = 0
            :: else
            fi;
            asked = tick; askedLife = l; askedMade = m; askedEnd[0] = e[0]; askedEnd[1] = e[1]
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
                      if
                      :: LIFE(p, n) != LIFE(p, n - 1) && complete < asked && askedLife == LIFE(p, n - 1) && NEXT(p, n - 1) < askedEnd[p] ->
                           onHold[p] = true; holdLife[p] = askedLife; holdFrom[p] = NEXT(p, n - 1); holdTo[p] = askedEnd[p]
                      :: else
                      fi;
                      n++
                 :: else -> break
                 od;
                 taken[p] = k
            :: else
            fi;
            /* Offsets that had landed are no longer held. */
            if
            :: onHold[p] && LIFE(p, taken[p]) == holdLife[p] && NEXT(p, taken[p]) >= holdTo[p] -> onHold[p] = false
            :: onHold[p] && LIFE(p, taken[p]) == holdLife[p] && NEXT(p, taken[p]) < holdTo[p] && NEXT(p, taken[p]) > holdFrom[p] -> holdFrom[p] = NEXT(p, taken[p])
            :: else
            fi;
            p++
       :: else -> break
       od;
       /* Covered? */
       holds = (complete == asked) || onHold[0] || onHold[1];
       p = 0;
       do
       :: p < askedMade ->
            holds = holds || (askedEnd[p] > 0 && (NEXT(p, taken[p]) < askedEnd[p]
#ifndef BUG_TOPIC_ID
              || LIFE(p, taken[p]) != askedLife
#endif
              ));
            p++
       :: else -> break
       od;
       if
       :: !holds ->
            moved = true;
            complete = asked;
            p = 0;
            do
            :: p < PARTS ->
                 n = 0;
                 do
                 :: n < heldEnd[complete * PARTS + p] ->
                      assert(visible[R(heldLife[complete], p, n)] || known[R(heldLife[complete], p, n)]);
                      n++
                 :: else -> break
                 od;
                 p++
            :: else -> break
            od;
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

/* Acknowledges deleted records at some time. */
active proctype Operator() {
  byte p;
end:
  do
  :: atomic { onHold[0] || onHold[1] ->
       p = (onHold[0] -> 0 : 1);
       do
       :: holdFrom[p] < holdTo[p] -> known[R(holdLife[p], p, holdFrom[p])] = true; holdFrom[p]++
       :: else -> break
       od;
       onHold[p] = false;
       number++;
       p = 0
     }
  od
}

init {
  atomic { run Log(0); run Log(1); run Reckoner() }
#if RECKONERS > 1
  run Reckoner()
#endif
}
