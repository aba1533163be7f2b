// Cells 0 to n hold 0. Thread i reads cell i-1 and writes one more into cell i, while another looks for the last zero from the right.

event read: machine;
event value: int;
event update: int;

machine Cell {
  var held: int;
  start state Init {
    on read do (whom: machine) { send whom, value, held; }
    on update do (next: int) { held = next; }
  }
}

machine Thread {
  var right: machine;
  start state Init {
    entry (cells: (left: machine, right: machine)) {
      right = cells.right;
      send cells.left, read, this;
    }
    on value do (found: int) { send right, update, found + 1; }
  }
}

machine Zero {
  var cells: seq[machine];
  var at: int;
  start state Init {
    entry (all: seq[machine]) {
      cells = all;
      at = sizeof(cells) - 1;
      send cells[at], read, this;
    }
    on value do (found: int) {
      if (found != 0) {
        at = at - 1;
        send cells[at], read, this;
      }
    }
  }
}

// Takes for granted that no thread was quicker: the rightmost cell is still zero.
machine HastyZero {
  start state Init {
    entry (all: seq[machine]) { send all[sizeof(all) - 1], read, this; }
    on value do (found: int) { assert found == 0, format("the last cell holds {0}", found); }
  }
}

fun cells(n: int): seq[machine] {
  var made: seq[machine];
  while (sizeof(made) <= n) made += (sizeof(made), new Cell());
  return made;
}

fun threads(all: seq[machine]) {
  var i: int;
  i = 1;
  while (i < sizeof(all)) {
    new Thread((left = all[i - 1], right = all[i]));
    i = i + 1;
  }
}

fun begin(n: int) {
  var all: seq[machine];
  all = cells(n);
  threads(all);
  new Zero(all);
}

machine Three { start state Init { entry { begin(3); } } }
machine Five { start state Init { entry { begin(5); } } }
machine Seven { start state Init { entry { begin(7); } } }

machine Hasty {
  start state Init {
    entry {
      var all: seq[machine];
      all = cells(3);
      threads(all);
      new HastyZero(all);
    }
  }
}

test lastZero3 [main=Three]: { Three, Cell, Thread, Zero };
test lastZero5 [main=Five]: { Five, Cell, Thread, Zero };
test lastZero7 [main=Seven]: { Seven, Cell, Thread, Zero };
test hasty [main=Hasty]: { Hasty, Cell, Thread, HastyZero };
