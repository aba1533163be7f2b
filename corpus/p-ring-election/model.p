// Leader election in a ring (Chang and Roberts): a token travels on past smaller numbers only; whose own token comes back leads.

event next: machine;
event token: int;
event leads: int;

machine Node {
  var id: int;
  var successor: machine;
  start state Init {
    entry (number: int) { id = number; }
    on next do (whom: machine) {
      successor = whom;
      send successor, token, id;
      goto Electing;
    }
    defer token;
  }
  state Electing {
    on token do (theirs: int) {
      if (theirs > id) send successor, token, theirs;
      else if (theirs == id) announce leads, id;
    }
  }
}

// Passes on what is not smaller than half its number: two tokens may come back.
machine LaxNode {
  var id: int;
  var successor: machine;
  start state Init {
    entry (number: int) { id = number; }
    on next do (whom: machine) {
      successor = whom;
      send successor, token, id;
      goto Electing;
    }
    defer token;
  }
  state Electing {
    on token do (theirs: int) {
      if (theirs == id) announce leads, id;
      else if (theirs > id / 2) send successor, token, theirs;
    }
  }
}

spec OneLeader observes leads {
  var leader: int;
  start hot state Nobody {
    on leads do (id: int) {
      leader = id;
      goto Elected;
    }
  }
  cold state Elected {
    on leads do (id: int) { assert id == leader, format("{0} and {1} lead", leader, id); }
  }
}

fun ring(ids: seq[int]) {
  var nodes: seq[machine];
  var at: int;
  while (at < sizeof(ids)) {
    nodes += (at, new Node(ids[at]));
    at = at + 1;
  }
  at = 0;
  while (at < sizeof(ids)) {
    send nodes[at], next, nodes[(at + 1) % sizeof(ids)];
    at = at + 1;
  }
}

fun numbers(a: int, b: int, c: int): seq[int] {
  var all: seq[int];
  all += (0, a);
  all += (1, b);
  all += (2, c);
  return all;
}

machine Three { start state Init { entry { ring(numbers(1, 3, 2)); } } }

machine Four {
  start state Init {
    entry {
      var ids: seq[int];
      ids = numbers(2, 4, 1);
      ids += (3, 3);
      ring(ids);
    }
  }
}

test three [main=Three]: assert OneLeader in { Three, Node };
test four [main=Four]: assert OneLeader in { Four, Node };
test lax [main=Three]: assert OneLeader in { Three, LaxNode -> Node };
