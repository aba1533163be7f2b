// Writers count up a counter, each by its number, unless half of that is more than the counter has.

event ping: int;

machine Server {
  var counter: int;
  start state Serving {
    on ping do (id: int) {
      if (id / 2 > counter) counter = counter - id / 2;
      else counter = counter + id;
    }
  }
}

// The same, and who wrote it hopes for a counter that is never below zero.
machine ProudServer {
  var counter: int;
  start state Serving {
    on ping do (id: int) {
      if (id / 2 > counter) counter = counter - id / 2;
      else counter = counter + id;
      assert counter >= 0, format("the counter is {0}", counter);
    }
  }
}

machine Writer {
  start state Init {
    entry (at: (server: machine, id: int)) { send at.server, ping, at.id; }
  }
}

fun begin(server: machine, n: int) {
  var id: int;
  id = 1;
  while (id < n) {
    new Writer((server = server, id = id));
    id = id + 1;
  }
}

machine Five { start state Init { entry { begin(new Server(), 5); } } }
machine Ten { start state Init { entry { begin(new Server(), 10); } } }
machine Twelve { start state Init { entry { begin(new Server(), 12); } } }
machine Fifteen { start state Init { entry { begin(new Server(), 15); } } }
machine Proud { start state Init { entry { begin(new ProudServer(), 5); } } }

test counter5 [main=Five]: { Five, Server, Writer };
test counter10 [main=Ten]: { Ten, Server, Writer };
test counter12 [main=Twelve]: { Twelve, Server, Writer };
test counter15 [main=Fifteen]: { Fifteen, Server, Writer };
test neverBelowZero [main=Proud]: { Proud, ProudServer, Writer };
