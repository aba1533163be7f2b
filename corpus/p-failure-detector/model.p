// A detector pings nodes, and says that a node is down when two rounds went by without an answer. Nodes may halt; a clock may ring early.

event ping: (detector: machine, round: int);
event pong: (node: machine, round: int);
event ring;
event startClock;
event failed: machine;
event shutDown: machine;

machine Node {
  start state Alive {
    on ping do (from: (detector: machine, round: int)) { send from.detector, pong, (node = this, round = from.round); }
  }
}

// Rings at some time, which is not known to come after the answers.
machine Clock {
  var detector: machine;
  start state Init {
    entry (whom: machine) { detector = whom; }
    on startClock do { send detector, ring; }
  }
}

machine Detector {
  var alive: set[machine];
  var answered: set[machine];
  var clock: machine;
  var round: int;
  var attempts: int;
  var rounds: int;
  start state Init {
    entry (made: (nodes: set[machine], rounds: int)) {
      alive = made.nodes;
      rounds = made.rounds;
      clock = new Clock(this);
      goto Asking;
    }
  }
  state Asking {
    entry {
      var node: machine;
      round = round + 1;
      foreach (node in alive) if (!(node in answered)) send node, ping, (detector = this, round = round);
      send clock, startClock;
    }
    on pong do (answer: (node: machine, round: int)) { if (answer.round == round) answered += (answer.node); }
    on ring do judge;
  }
  fun judge() {
    var node: machine;
    attempts = attempts + 1;
    if (sizeof(answered) < sizeof(alive) && attempts < 2) goto Asking;
    foreach (node in alive) if (!(node in answered)) announce failed, node;
    alive = answered;
    answered = default(set[machine]);
    attempts = 0;
    if (round >= rounds) goto Over;
    goto Asking;
  }
  state Over { ignore pong, ring; }
}

// Halts one node, announced before it does.
machine Killer {
  start state Init {
    entry (nodes: set[machine]) {
      var victim: machine;
      victim = choose(nodes);
      announce shutDown, victim;
      send victim, halt;
    }
  }
}

// A node that is shut down is found out …
spec Complete observes failed, shutDown {
  var down: set[machine];
  var known: set[machine];
  start cold state Fine {
    on shutDown do (node: machine) {
      down += (node);
      if (!(node in known)) goto Waiting;
    }
    on failed do (node: machine) { known += (node); }
  }
  hot state Waiting {
    on shutDown do (node: machine) { down += (node); }
    on failed do (node: machine) {
      known += (node);
      if (node in down) goto Fine;
    }
  }
}

// … and one that is not shut down is not suspected.
spec Accurate observes failed, shutDown {
  var down: set[machine];
  start state Watching {
    on shutDown do (node: machine) { down += (node); }
    on failed do (node: machine) { assert node in down, "a node is suspected that was not shut down"; }
  }
}

fun nodes(count: int): set[machine] {
  var made: set[machine];
  while (sizeof(made) < count) made += (new Node());
  return made;
}

machine Healthy {
  start state Init {
    entry { new Detector((nodes = nodes(2), rounds = 2)); }
  }
}

machine Sick {
  start state Init {
    entry {
      var all: set[machine];
      all = nodes(2);
      new Killer(all);
      new Detector((nodes = all, rounds = 4));
    }
  }
}

test healthy [main=Healthy]: { Healthy, Detector, Node, Clock };
// Whoever is suspected may only be slow.
test accurate [main=Healthy]: assert Accurate in { Healthy, Detector, Node, Clock };
// Whoever is shut down after the last round is not found out.
test complete [main=Sick]: assert Complete in { Sick, Detector, Node, Clock, Killer };
