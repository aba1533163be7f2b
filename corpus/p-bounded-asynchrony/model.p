// Three processes count in rounds, and no two of them may be more than one round apart when they hear of each other.

event meet: (one: machine, other: machine);
event ready;
event proceed;
event counted: int;

machine Rounds {
  var processes: seq[machine];
  var needed: int;
  var arrived: int;
  start state Init {
    entry (made: (last: int, needed: int)) {
      needed = made.needed;
      while (sizeof(processes) < 3) processes += (sizeof(processes), new Process((rounds = this, last = made.last)));
      send processes[0], meet, (one = processes[2], other = processes[1]);
      send processes[1], meet, (one = processes[2], other = processes[0]);
      send processes[2], meet, (one = processes[0], other = processes[1]);
    }
    on ready do {
      var process: machine;
      arrived = arrived + 1;
      if (arrived < needed) return;
      arrived = 0;
      foreach (process in processes) send process, proceed;
    }
  }
}

machine Process {
  var rounds: machine;
  var others: (one: machine, other: machine);
  var last: int;
  var count: int;
  start state Init {
    entry (made: (rounds: machine, last: int)) {
      rounds = made.rounds;
      last = made.last;
    }
    on meet do (both: (one: machine, other: machine)) {
      others = both;
      send rounds, ready;
    }
    on proceed goto Counting;
    ignore counted;
  }
  state Counting {
    entry {
      count = count + 1;
      send others.one, counted, count;
      send others.other, counted, count;
      send rounds, ready;
      if (count == last) goto Done;
    }
    on proceed goto Counting;
    on counted do (theirs: int) {
      assert count == theirs || count == theirs - 1, format("one counts {0}, another {1}", count, theirs);
    }
  }
  state Done { ignore proceed, counted; }
}

machine Eleven { start state Init { entry { new Rounds((last = 11, needed = 3)); } } }
machine Three { start state Init { entry { new Rounds((last = 3, needed = 3)); } } }
machine Impatient { start state Init { entry { new Rounds((last = 3, needed = 2)); } } }

test eleven [main=Eleven]: { Eleven, Rounds, Process };
test three [main=Three]: { Three, Rounds, Process };
// A round begins when two of three are ready.
test impatient [main=Impatient]: { Impatient, Rounds, Process };
