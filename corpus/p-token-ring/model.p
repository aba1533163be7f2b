// A token goes round. Who has it may work; when it comes back and nobody worked in that round, everybody is told to stop.

event next: machine;
event token: bool;
event wish;
event works: machine;
event rests: machine;
event stop;

machine Node {
  var successor: machine;
  var isFirst: bool;
  var wishes: int;
  start state Init {
    entry (first: bool) { isFirst = first; }
    on next do (whom: machine) {
      successor = whom;
      if (isFirst) send successor, token, false;
      goto Running;
    }
    defer token, wish, stop;
  }
  state Running {
    on wish do { wishes = wishes + 1; }
    on token do (someWorked: bool) {
      var now: bool;
      now = someWorked;
      if (isFirst) {
        if (!someWorked && wishes == 0) {
          send successor, stop;
          goto Stopped;
        }
        now = false;
      }
      if (wishes > 0) {
        wishes = wishes - 1;
        now = true;
        announce works, this;
        announce rests, this;
      }
      send successor, token, now;
    }
    on stop do {
      send successor, stop;
      goto Stopped;
    }
  }
  state Stopped {
    ignore stop;
    on wish do { announce works, this; }
  }
}

// Works as soon as it wishes, token or not.
machine RudeNode {
  var successor: machine;
  var isFirst: bool;
  start state Init {
    entry (first: bool) { isFirst = first; }
    on next do (whom: machine) {
      successor = whom;
      if (isFirst) send successor, token, false;
      goto Running;
    }
    defer token, wish;
  }
  state Running {
    on wish do {
      announce works, this;
      goto Working;
    }
    on token do (someWorked: bool) { if (!isFirst) send successor, token, someWorked; }
  }
  state Working {
    entry { send this, over; }
    on over do {
      announce rests, this;
      goto Running;
    }
    defer token, wish;
  }
}

event over;

spec OneAtATime observes works, rests {
  start state Free {
    on works goto Busy;
  }
  state Busy {
    on rests goto Free;
    on works do { assert false, "two work at once"; }
  }
}

fun ring(count: int) {
  var nodes: seq[machine];
  var at: int;
  while (sizeof(nodes) < count) nodes += (sizeof(nodes), new Node(sizeof(nodes) == 0));
  while (at < count) {
    send nodes[at], next, nodes[(at + 1) % count];
    send nodes[at], wish;
    at = at + 1;
  }
}

machine Three { start state Init { entry { ring(3); } } }
machine Four { start state Init { entry { ring(4); } } }

test three [main=Three]: { Three, Node };
test four [main=Four]: { Four, Node };
// A wish that comes after the stop is work without the token; two of them are seen by the monitor.
test threeWatched [main=Three]: assert OneAtATime in { Three, Node };
test rude [main=Three]: assert OneAtATime in { Three, RudeNode -> Node };
