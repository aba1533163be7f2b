// A detector pings nodes, and tells its clients which did not answer in two attempts. One node is shut down; a clock may ring early.

param size: int;
param rounds: int;
param isWrong: bool;

event ping: (detector: machine, attempt: int);
event pong: (node: machine, attempt: int);
event ring;
event startClock;
event isDown: machine;

machine Node {
  start state Alive {
    on ping do (from: (detector: machine, attempt: int)) { send from.detector, pong, (node = this, attempt = from.attempt); }
  }
}

machine Clock {
  var detector: machine;
  start state Init {
    entry (whom: machine) { detector = whom; }
    on startClock do { send detector, ring; }
  }
}

machine Client {
  var down: set[machine];
  start state Init {
    on isDown do (node: machine) {
      assert !(node in down), "a node is down twice";
      down += (node);
    }
  }
}

machine Detector {
  var clients: seq[machine];
  var nodes: set[machine];
  var answered: set[machine];
  var clock: machine;
  var attempt: int;
  var round: int;
  start state Init {
    entry (made: (nodes: set[machine], clients: seq[machine])) {
      nodes = made.nodes;
      clients = made.clients;
      clock = new Clock(this);
      goto Asking;
    }
  }
  state Asking {
    entry {
      var node: machine;
      attempt = attempt + 1;
      foreach (node in nodes) if (!(node in answered)) send node, ping, (detector = this, attempt = attempt);
      send clock, startClock;
    }
    on pong do (answer: (node: machine, attempt: int)) { if (answer.attempt == attempt) answered += (answer.node); }
    on ring do {
      if (sizeof(answered) < sizeof(nodes) && attempt % 2 == 1) goto Asking;
      judge();
      round = round + 1;
      if (round == rounds) goto Over;
      attempt = round * 2;
      goto Asking;
    }
  }
  // Who is wrong goes on asking who is down.
  fun judge() {
    var node: machine;
    var client: machine;
    foreach (node in nodes) {
      if (!(node in answered)) foreach (client in clients) send client, isDown, node;
    }
    if (!isWrong) nodes = answered;
    answered = default(set[machine]);
  }
  state Over { ignore pong, ring; }
}

machine Main {
  start state Init {
    entry {
      var nodes: set[machine];
      var clients: seq[machine];
      while (sizeof(nodes) < size) nodes += (new Node());
      while (sizeof(clients) < 2) clients += (0, new Client());
      new Detector((nodes = nodes, clients = clients));
      send choose(nodes), halt;
    }
  }
}

test param (size in [1, 2, 3], rounds in [1, 2]) detector [main=Main]: { Main, Detector, Node, Clock, Client };
test param (size in [1], rounds in [2], isWrong in [true]) insistent [main=Main]: { Main, Detector, Node, Clock, Client };
