// What must happen again and again, or at last, and what keeps it from happening.

event ask: machine;
event answer;
event refuse;
event wanted;
event served;
event turn;
event open;
event close;
event blink;

// Good things are served: cold. Something is wanted: hot.
spec Served observes wanted, served {
  start cold state Content {
    on wanted goto Wanting;
    ignore served;
  }
  hot state Wanting {
    on served goto Content;
    ignore wanted;
  }
}

// Wants, is served, and wants again; between the two it is only half content.
spec NeverQuiteServed observes wanted, served {
  start cold state Content { on wanted goto Wanting; }
  hot state Wanting { on served goto HalfContent; }
  state HalfContent { on wanted goto Wanting; }
}

// Wants something, asks until it is answered, and then again if it is greedy.
machine Client {
  var server: machine;
  var isGreedy: bool;
  start state Init {
    entry (made: (server: machine, isGreedy: bool)) {
      server = made.server;
      isGreedy = made.isGreedy;
      announce wanted;
      send server, ask, this;
    }
    on answer do {
      announce served;
      if (!isGreedy) return;
      announce wanted;
      send server, ask, this;
    }
    on refuse do { send server, ask, this; }
  }
}

// The same, and nobody watches it.
machine Rival {
  var server: machine;
  start state Init {
    entry (whom: machine) {
      server = whom;
      send server, ask, this;
    }
    on answer do { send server, ask, this; }
  }
}

machine Prompt {
  start state Init { on ask do (client: machine) { send client, answer; } }
}

// May forget what it was asked.
machine Forgetful {
  start state Init { on ask do (client: machine) { if ($) send client, answer; } }
}

// May always say no.
machine Refusing {
  start state Init {
    on ask do (client: machine) {
      if ($) send client, answer;
      else send client, refuse;
    }
  }
}

// Stops after the first answer.
machine Mortal {
  start state Init {
    on ask do (client: machine) {
      send client, answer;
      raise halt;
    }
  }
}

// Never comes to what it was asked.
machine Postponing {
  start state Init { defer ask; }
}

// Answers one of those who wait at each turn: whoever it likes, or who came first.
machine Choosing {
  var waiting: set[machine];
  start state Init {
    entry { send this, turn; }
    on ask do (client: machine) { waiting += (client); }
    on turn do {
      var client: machine;
      if (sizeof(waiting) > 0) {
        client = choose(waiting);
        waiting -= (client);
        send client, answer;
      }
      send this, turn;
    }
  }
}

machine Orderly {
  var waiting: seq[machine];
  start state Init {
    entry { send this, turn; }
    on ask do (client: machine) { waiting += (sizeof(waiting), client); }
    on turn do {
      if (sizeof(waiting) > 0) {
        send waiting[0], answer;
        waiting -= (0);
      }
      send this, turn;
    }
  }
}

// Opens and closes for ever. Who comes when it is closed is refused, and may come again: it is open again and again.
machine Flickering {
  start state Closed {
    entry { send this, blink; }
    on blink goto Opened;
    on ask do (client: machine) { send client, refuse; }
  }
  state Opened {
    entry { send this, blink; }
    on blink goto Closed;
    on ask do (client: machine) { send client, answer; }
  }
}

// The same, and who comes when it is closed waits until it is open.
machine Waiting {
  start state Closed {
    entry { send this, blink; }
    on blink goto Opened;
    defer ask;
  }
  state Opened {
    entry { send this, blink; }
    on blink goto Closed;
    on ask do (client: machine) { send client, answer; }
  }
}

machine Server { start state Init { ignore ask; } }

machine Once { start state Init { entry { new Client((server = new Server(), isGreedy = false)); } } }
machine Greedy { start state Init { entry { new Client((server = new Server(), isGreedy = true)); } } }

machine Two {
  start state Init {
    entry {
      var server: machine;
      server = new Server();
      new Client((server = server, isGreedy = true));
      new Rival(server);
    }
  }
}

// Holds.
test prompt [main=Once]: assert Served in { Once, Client, Prompt -> Server };
test promptForEver [main=Greedy]: assert Served in { Greedy, Client, Prompt -> Server };
test orderly [main=Two]: assert Served in { Two, Client, Rival, Orderly -> Server };
test waiting [main=Greedy]: assert Served in { Greedy, Client, Waiting -> Server };
// An end at which something is still wanted.
test forgetful [main=Once]: assert Served in { Once, Client, Forgetful -> Server };
test mortal [main=Greedy]: assert Served in { Greedy, Client, Mortal -> Server };
test postponing [main=Once]: assert Served in { Once, Client, Postponing -> Server };
// No end.
test refusing [main=Once]: assert Served in { Once, Client, Refusing -> Server };
test starved [main=Two]: assert Served in { Two, Client, Rival, Choosing -> Server };
test flickering [main=Once]: assert Served in { Once, Client, Flickering -> Server };
test neverQuite [main=Greedy]: assert NeverQuiteServed in { Greedy, Client, Prompt -> Server };
