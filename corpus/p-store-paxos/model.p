// A key-value store on two servers that agree by Paxos, write after write, whether it takes place; and a client that writes and reads for ever.

param size: int;

type Key = int;
type Val = int;

event write: (key: Key, val: Val);
event done: bool;
event read: Key;
event readIs: (isThere: bool, val: Val);
event prepare: (server: machine, ballot: int);
event promise: (yes: bool, last: int, isWrite: bool);
event accept: (server: machine, ballot: int, isWrite: bool);
event accepted: bool;
event learned: bool;
event meet: machine;
event forget;
event forgotten;

// Which keys and values there are; a check file may know better.
fun theKey(): Key { return 0; }
fun otherKey(): Key { return 1 + choose(2); }
fun theVal(): Val { return 0; }
fun anyVal(): Val { return choose(2); }

machine Acceptor {
  var client: machine;
  var promised: int;
  var last: int;
  var isWrite: bool;
  start state Init {
    entry (whom: machine) { client = whom; }
    on prepare do (asked: (server: machine, ballot: int)) {
      if (asked.ballot > promised) {
        promised = asked.ballot;
        send asked.server, promise, (yes = true, last = last, isWrite = isWrite);
      }
      else send asked.server, promise, (yes = false, last = 0, isWrite = false);
    }
    on accept do (asked: (server: machine, ballot: int, isWrite: bool)) {
      if (asked.ballot >= promised) {
        promised = asked.ballot;
        last = asked.ballot;
        isWrite = asked.isWrite;
      }
      send asked.server, accepted, asked.ballot >= promised;
    }
    // Before the next write.
    on forget do {
      promised = 0;
      last = 0;
      isWrite = false;
      send client, forgotten;
    }
  }
}

// The first one proposes that the write takes place, with ballot 1; the second one, with ballot 2, that it does not.
machine Server {
  var client: machine;
  var acceptors: seq[machine];
  var other: machine;
  var ballot: int;
  var isCareful: bool;
  var stored: map[Key, Val];
  var wanted: (key: Key, val: Val);
  var isWrite: bool;
  var highest: int;
  var ayes: int;
  // Answers that are still to come: nobody fails, and so all of them do.
  var open: int;
  var isKnown: bool;
  var hasHeard: bool;
  start state Init {
    entry (made: (client: machine, acceptors: seq[machine], ballot: int, isCareful: bool)) {
      client = made.client;
      acceptors = made.acceptors;
      ballot = made.ballot;
      isCareful = made.isCareful;
    }
    on meet do (whom: machine) {
      other = whom;
      goto Idle;
    }
    defer write, learned;
  }
  state Idle {
    on write do (asked: (key: Key, val: Val)) {
      wanted = asked;
      isWrite = ballot == 1;
      goto Preparing;
    }
    on read do (key: Key) {
      if (key in stored) send client, readIs, (isThere = true, val = stored[key]);
      else send client, readIs, (isThere = false, val = default(Val));
    }
    defer learned;
  }
  state Preparing {
    entry {
      var one: machine;
      foreach (one in acceptors) send one, prepare, (server = this, ballot = ballot);
      open = size;
    }
    on promise do (answer: (yes: bool, last: int, isWrite: bool)) {
      open = open - 1;
      if (answer.yes) ayes = ayes + 1;
      // What somebody has accepted may be chosen already.
      if (isCareful && answer.last > highest) {
        highest = answer.last;
        isWrite = answer.isWrite;
      }
      if (open > 0) return;
      if (2 * ayes > size && !isKnown) goto Accepting;
      goto Waiting;
    }
    on learned do hear;
  }
  state Accepting {
    entry {
      var one: machine;
      foreach (one in acceptors) send one, accept, (server = this, ballot = ballot, isWrite = isWrite);
      open = size;
      ayes = 0;
    }
    on accepted do (yes: bool) {
      open = open - 1;
      if (yes) ayes = ayes + 1;
      if (open > 0) return;
      if (2 * ayes > size) know(isWrite);
      goto Waiting;
    }
    on learned do hear;
  }
  // For the other one.
  state Waiting {
    entry { settle(); }
    on learned do (yes: bool) {
      hear(yes);
      settle();
    }
  }
  fun hear(yes: bool) {
    hasHeard = true;
    know(yes);
  }
  fun know(yes: bool) {
    if (isKnown) return;
    isKnown = true;
    isWrite = yes;
    if (yes) stored[wanted.key] = wanted.val;
    send other, learned, yes;
  }
  fun settle() {
    if (!isKnown || !hasHeard) return;
    send client, done, isWrite;
    wanted = default((key: Key, val: Val));
    isKnown = false;
    hasHeard = false;
    isWrite = false;
    highest = 0;
    ayes = 0;
    goto Idle;
  }
}

// Writes one key, then others as often as it likes, and reads the one again.
machine Client {
  var servers: seq[machine];
  var acceptors: seq[machine];
  var waits: int;
  var isDone: bool;
  var isWritten: bool;
  var key: Key;
  var val: Val;
  start state Init {
    entry (isCareful: bool) {
      key = theKey();
      val = theVal();
      while (sizeof(acceptors) < size) acceptors += (0, new Acceptor(this));
      servers += (0, new Server((client = this, acceptors = acceptors, ballot = 1, isCareful = true)));
      servers += (1, new Server((client = this, acceptors = acceptors, ballot = 2, isCareful = isCareful)));
      send servers[0], meet, servers[1];
      send servers[1], meet, servers[0];
      goto Writing;
    }
  }
  state Writing {
    entry { begin(key, val); }
    on done do (yes: bool) { ended(yes); }
    on forgotten do clean;
  }
  state Others {
    entry {
      if ($) begin(otherKey(), anyVal());
      else goto Reading;
    }
    on done do (yes: bool) { ended(yes); }
    on forgotten do clean;
  }
  state Reading {
    entry { send choose(servers), read, key; }
    on readIs do (found: (isThere: bool, val: Val)) {
      assert found.isThere, "the key is there";
      assert found.val == val, "the key has the value that was written";
      goto Others;
    }
  }
  fun begin(under: Key, what: Val) {
    send servers[0], write, (key = under, val = what);
    send servers[1], write, (key = under, val = what);
    waits = 2;
    isDone = false;
  }
  // Written is what one of them has written.
  fun ended(yes: bool) {
    waits = waits - 1;
    isDone = isDone || yes;
    if (waits > 0) return;
    send acceptors[0], forget;
  }
  fun clean() {
    waits = waits + 1;
    if (waits < size) {
      send acceptors[waits], forget;
      return;
    }
    waits = 0;
    isWritten = isWritten || isDone;
    isDone = false;
    if (isWritten) goto Others;
    goto Writing;
  }
}

machine Careful { start state Init { entry { new Client(true); } } }
machine Careless { start state Init { entry { new Client(false); } } }

test param (size in [3, 5]) store [main=Careful]: { Careful, Client, Server, Acceptor };
// The second server does not ask what was accepted.
test param (size in [3]) careless [main=Careless]: { Careless, Client, Server, Acceptor };
