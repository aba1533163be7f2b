// Cells 0 to size hold 0. Thread i reads cell i-1 and writes one more into cell i, while another looks for the last zero from the right.

param size: int;
param isWrong: bool;

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

// Who is wrong takes for granted that no thread was quicker.
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
      assert found <= at, "a cell holds more than its number";
      assert !isWrong || found == 0, "the last cell is not zero";
      if (found == 0) return;
      at = at - 1;
      send cells[at], read, this;
    }
  }
}

machine Main {
  start state Init {
    entry {
      var cells: seq[machine];
      var i: int;
      while (sizeof(cells) <= size) cells += (sizeof(cells), new Cell());
      while (i < size) {
        new Thread((left = cells[i], right = cells[i + 1]));
        i = i + 1;
      }
      new Zero(cells);
    }
  }
}

test param (size in [2, 5, 6, 7, 10, 15, 20]) lastZero [main=Main]: { Main, Cell, Thread, Zero };
test param (size in [2], isWrong in [true]) hasty [main=Main]: { Main, Cell, Thread, Zero };
