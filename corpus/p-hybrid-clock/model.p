// Hybrid logical clocks: a time that follows the clock of each machine and still respects who heard of whom.

type tTime = (wall: int, logical: int);

event tick;
event tell: machine;
event heard: tTime;

machine Clock {
  var wall: int;
  var time: tTime;
  start state Init {
    on tick do {
      if (wall < 2) wall = wall + 1;
    }
    on tell do (whom: machine) {
      stamp((wall = 0, logical = -1));
      send whom, heard, time;
    }
    on heard do (theirs: tTime) {
      stamp(theirs);
      assert isLater(time, theirs), format("{0} is not later than {1}", time, theirs);
      assert time.wall <= 2, "the time runs away from all clocks";
    }
  }
  // The largest of what is known, and one more where that is not new.
  fun stamp(theirs: tTime) {
    var before: tTime;
    before = time;
    time.wall = largest(before.wall, theirs.wall, wall);
    if (time.wall == before.wall && time.wall == theirs.wall) time.logical = largest(before.logical, theirs.logical, 0) + 1;
    else if (time.wall == before.wall) time.logical = before.logical + 1;
    else if (time.wall == theirs.wall) time.logical = theirs.logical + 1;
    else time.logical = 0;
    assert isLater(time, before), "time goes back";
  }
}

// Takes the time of others only where their clock is ahead, and forgets to count.
machine SimpleClock {
  var wall: int;
  var time: tTime;
  start state Init {
    on tick do {
      if (wall < 2) wall = wall + 1;
    }
    on tell do (whom: machine) {
      time.wall = largest(time.wall, wall, 0);
      time.logical = time.logical + 1;
      send whom, heard, time;
    }
    on heard do (theirs: tTime) {
      if (theirs.wall > time.wall) time = theirs;
      else time.logical = time.logical + 1;
      assert isLater(time, theirs), format("{0} is not later than {1}", time, theirs);
    }
  }
}

fun largest(a: int, b: int, c: int): int {
  if (a >= b && a >= c) return a;
  if (b >= c) return b;
  return c;
}

fun isLater(one: tTime, other: tTime): bool {
  return one.wall > other.wall || (one.wall == other.wall && one.logical > other.logical);
}

// Lets time pass in one clock.
machine Time {
  start state Init {
    entry (clock: machine) {
      send clock, tick;
      send clock, tick;
    }
  }
}

// Lets one clock tell another, some times.
machine Talk {
  start state Init {
    entry (made: (clock: machine, other: machine, times: int)) {
      var i: int;
      while (i < made.times) {
        i = i + 1;
        send made.clock, tell, made.other;
      }
    }
  }
}

machine Two {
  start state Init {
    entry {
      var a: machine;
      var b: machine;
      a = new Clock();
      b = new Clock();
      new Time(a);
      new Time(b);
      new Talk((clock = a, other = b, times = 2));
      new Talk((clock = b, other = a, times = 1));
    }
  }
}

test hybrid [main=Two]: { Two, Clock, Time, Talk };
test simple [main=Two]: { Two, SimpleClock -> Clock, Time, Talk };
