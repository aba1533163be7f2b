// A row of lamps. Each switch looks at the lamp on its left, and turns its own lamp the other way.
//   npx allways check examples/lamps.p -t watched --engine symbolic
//   npx allways check examples/lamps.p -t ten --engine symbolic
// Change it: how many switches can the other engines explore? What if all of them look at one lamp?

event look: machine;
event seen: bool;
event turn: bool;

machine Lamp {
  var isLit: bool;
  start state Hanging {
    on look do (who: machine) { send who, seen, isLit; }
    on turn do (lit: bool) { isLit = lit; }
  }
}

machine Switch {
  var lamp: machine;
  start state Looking {
    entry (at: (left: machine, own: machine)) {
      lamp = at.own;
      send at.left, look, this;
    }
    on seen do (isLit: bool) { send lamp, turn, !isLit; }
  }
}

// Hopes that the last lamp is dark.
machine Watchman {
  start state Looking {
    entry (lamp: machine) { send lamp, look, this; }
    on seen do (isLit: bool) { assert !isLit, "the last lamp is lit"; }
  }
}

// The last of so many lamps; lamp 0 has no switch.
fun row(switches: int): machine {
  var lamps: seq[machine];
  var i: int;
  while (i <= switches) {
    lamps += (i, new Lamp());
    i = i + 1;
  }
  i = 1;
  while (i <= switches) {
    new Switch((left = lamps[i - 1], own = lamps[i]));
    i = i + 1;
  }
  return lamps[switches];
}

machine Three { start state Init { entry { row(3); } } }
machine Ten { start state Init { entry { row(10); } } }
machine Watched { start state Init { entry { new Watchman(row(3)); } } }

test three [main=Three]: { Three, Lamp, Switch };
test ten [main=Ten]: { Ten, Lamp, Switch };
test watched [main=Watched]: { Watched, Lamp, Switch, Watchman };
