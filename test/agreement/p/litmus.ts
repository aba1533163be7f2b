/** Small P programs whose last assertion can fail or not, depending on the order in which messages come. */

const receiversFirst = (claim: string): string => `
type tReceiver = (boss: machine, index: int);
type tSender = (c: machine, d: machine);
event m1; event m2; event m3; event m4;
event report: (int, bool);
machine Main {
  var first: map[int, bool];
  start state S {
    entry {
      var c: machine;
      var d: machine;
      c = new Receiver((boss = this, index = 0));
      d = new Receiver((boss = this, index = 1));
      new A((c = c, d = d));
      new B((c = c, d = d));
    }
    on report do (told: (int, bool)) {
      first[told.0] = told.1;
      if (sizeof(first) == 2) {
        assert ${claim};
      }
    }
  }
}
machine A {
  start state S {
    entry (known: tSender) {
      send known.c, m1;
      send known.d, m2;
    }
  }
}
machine B {
  start state S {
    entry (known: tSender) {
      send known.d, m3;
      send known.c, m4;
    }
  }
}
machine Receiver {
  var self: tReceiver;
  start state S {
    entry (given: tReceiver) { self = given; }
    on m1, m2 do { send self.boss, report, self.index, true; goto Done; }
    on m3, m4 do { send self.boss, report, self.index, false; goto Done; }
  }
  state Done { ignore m1, m2, m3, m4; }
}
`

/** A sends to C, then to B, who sends to C: what comes last was caused by what came first. */
const overtaking = `
event m1; event m2; event m3;
machine Main {
  start state S {
    entry {
      var c: machine;
      var b: machine;
      c = new C();
      b = new B(c);
      send c, m1;
      send b, m2;
    }
  }
}
machine B {
  var c: machine;
  start state S {
    entry (given: machine) { c = given; }
    on m2 do { send c, m3; }
  }
}
machine C {
  var got: bool;
  start state S {
    on m1 do { got = true; }
    on m3 do { assert got; }
  }
}
`

/** Two senders, two receivers, and each receiver first hears from the sender that spoke to it last. */
const crossedLate = receiversFirst('!(!first[0] && first[1])')

/** Each receiver first hears from the sender that spoke to it first. */
const crossedEarly = receiversFirst('!(first[0] && !first[1])')

/** What is sent to a halted machine does not hold back what comes after it. */
const toHalted = `
event die; event dead; event x; event y;
machine Main {
  var h: machine;
  start state S {
    entry {
      h = new H(this);
      send h, die;
    }
    on dead do {
      var c: machine;
      c = new C();
      send h, x;
      send c, y;
    }
  }
}
machine H {
  var boss: machine;
  start state S {
    entry (given: machine) { boss = given; }
    on die do { send boss, dead; raise halt; }
  }
}
machine C {
  start state S {
    on y do { assert false; }
  }
}
`

/** Whether a monitor can see one machine between two sends of another. */
const betweenSends = `
event a1; event a2; event b1; event b2;
machine Main {
  start state S {
    entry {
      var k: machine;
      k = new Sink();
      new A(k);
      new B(k);
    }
  }
}
machine Sink { start state S { ignore a1, a2, b1, b2; } }
machine A { start state S { entry (k: machine) { send k, a1; send k, a2; } } }
machine B { start state S { entry (k: machine) { send k, b1; send k, b2; } } }
spec Watch observes a1, a2, b1, b2 {
  var isBetween: bool;
  start state S {
    on a1 do { isBetween = true; }
    on a2 do { isBetween = false; }
    on b1 do { assert !isBetween; }
    ignore b2;
  }
}
test tc [main=Main]: assert Watch in { Main, Sink, A, B };
`

/** Whether what was sent first can be received second. */
const seenOtherwise = `
event e1; event e2; event first1; event first2;
machine Main {
  start state S {
    entry {
      var c: machine;
      c = new C();
      new A(c);
      new B(c);
    }
  }
}
machine A { start state S { entry (c: machine) { send c, e1; } } }
machine B { start state S { entry (c: machine) { send c, e2; } } }
machine C {
  start state S {
    on e1 do { announce first1; goto Done; }
    on e2 do { announce first2; goto Done; }
  }
  state Done { ignore e1, e2; }
}
spec Watch observes e1, e2, first1, first2 {
  var seen: int;
  start state S {
    on e1 do { if (seen == 0) { seen = 1; } }
    on e2 do { if (seen == 0) { seen = 2; } }
    on first1 do { assert seen == 1; }
    on first2 do { assert seen == 2; }
  }
}
test tc [main=Main]: assert Watch in { Main, A, B, C };
`

/** A message that waits is looked at again after each change of state. */
const deferredTwice = `
event e1; event e2; event go;
machine Main {
  start state S {
    entry {
      var t: machine;
      t = new T();
      send t, e1;
      send t, e2;
      send t, go;
    }
  }
}
machine T {
  start state S0 { defer e1, e2; on go goto S1; }
  state S1 { defer e1; on e2 goto S2; }
  state S2 { on e1 do { assert false; } }
}
`

/** A machine that halts leaves its state. */
const exitOfHalted = `
machine Main {
  start state S {
    entry { raise halt; }
    exit { assert false; }
  }
}
`

/** The state is left before the function of the transition runs. */
const exitBeforeWith = `
event E;
machine Main {
  var x: int;
  start state A {
    entry { raise E; }
    exit { assert x == 0; x = 1; }
    on E goto B with { assert x == 1; x = 2; }
  }
  state B { entry { assert x == 2; } }
}
`

export const litmus = {
  overtaking,
  crossedLate,
  toHalted,
  betweenSends,
  seenOtherwise,
  crossedEarly,
  deferredTwice,
  exitOfHalted,
  exitBeforeWith,
}
