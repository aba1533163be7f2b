// Nine programs of a few messages. Each pins one rule of delivery, halting, deferring or leaving a state.

event m1;
event m2;
event m3;
event m4;
event report: (index: int, fromA: bool);

// L1: a message and the message it caused go to the same machine by different ways.
machine Overtaken {
  start state Init {
    entry {
      var last: machine;
      var middle: machine;
      last = new Last();
      middle = new Middle(last);
      send last, m1;
      send middle, m2;
    }
  }
}

machine Middle {
  var last: machine;
  start state Init {
    entry (whom: machine) { last = whom; }
    on m2 do { send last, m3; }
  }
}

machine Last {
  var hasFirst: bool;
  start state Init {
    on m1 do { hasFirst = true; }
    on m3 do { assert hasFirst, "m3 came before m1"; }
  }
}

// L2 and L6: two senders, two receivers, each sender sends to both in the opposite order.
machine Crossed {
  var fromA: map[int, bool];
  start state Init {
    entry { cross(this); }
    on report do (r: (index: int, fromA: bool)) {
      fromA[r.index] = r.fromA;
      if (sizeof(fromA) == 2) assert fromA[0] || !fromA[1], "both were first read from whoever sent to them last";
    }
  }
}

machine Straight {
  var fromA: map[int, bool];
  start state Init {
    entry { cross(this); }
    on report do (r: (index: int, fromA: bool)) {
      fromA[r.index] = r.fromA;
      if (sizeof(fromA) == 2) assert !fromA[0] || fromA[1], "both were first read from whoever sent to them first";
    }
  }
}

fun cross(judge: machine) {
  var c: machine;
  var d: machine;
  c = new Receiver((judge = judge, index = 0));
  d = new Receiver((judge = judge, index = 1));
  new SenderA((c = c, d = d));
  new SenderB((c = c, d = d));
}

machine SenderA {
  start state Init {
    entry (whom: (c: machine, d: machine)) {
      send whom.c, m1;
      send whom.d, m2;
    }
  }
}

machine SenderB {
  start state Init {
    entry (whom: (c: machine, d: machine)) {
      send whom.d, m3;
      send whom.c, m4;
    }
  }
}

machine Receiver {
  var judge: machine;
  var index: int;
  start state First {
    entry (made: (judge: machine, index: int)) {
      judge = made.judge;
      index = made.index;
    }
    on m1, m2 do {
      send judge, report, (index = index, fromA = true);
      goto Second;
    }
    on m3, m4 do {
      send judge, report, (index = index, fromA = false);
      goto Second;
    }
  }
  state Second { ignore m1, m2, m3, m4; }
}

// L3: a message to a machine that has halted holds nothing up.
event die;
event dead;
event x;
event y;

machine Survivor {
  var mortal: machine;
  start state Init {
    entry {
      mortal = new Mortal(this);
      send mortal, die;
    }
    on dead do {
      var heir: machine;
      heir = new Heir();
      send mortal, x;
      send heir, y;
    }
  }
}

machine Mortal {
  var judge: machine;
  start state Init {
    entry (whom: machine) { judge = whom; }
    on die do {
      send judge, dead;
      raise halt;
    }
  }
}

machine Heir {
  start state Init {
    on y do { assert false, "y is received"; }
  }
}

// L4: a monitor that would see another machine act inside a handler.
event a1;
event a2;
event b1;
event b2;

machine Inside {
  start state Init {
    entry {
      var sink: machine;
      sink = new Sink();
      new PairA(sink);
      new PairB(sink);
    }
  }
}

machine Sink {
  start state Init { ignore a1, a2, b1, b2; }
}

machine PairA {
  start state Init {
    entry (sink: machine) {
      send sink, a1;
      send sink, a2;
    }
  }
}

machine PairB {
  start state Init {
    entry (sink: machine) {
      send sink, b1;
      send sink, b2;
    }
  }
}

spec NotBetween observes a1, a2, b1, b2 {
  start state Outside {
    on a1 goto Between;
    ignore a2, b1, b2;
  }
  state Between {
    on a2 goto Outside;
    on b1 do { assert false, "b1 was sent between a1 and a2"; }
    ignore a1, b2;
  }
}

// L5: a monitor sees e1 sent before e2, and the receiver reads e2 first.
event e1;
event e2;
event first1;
event first2;

machine Ordered {
  start state Init {
    entry {
      var reader: machine;
      reader = new Reader();
      new Sender1(reader);
      new Sender2(reader);
    }
  }
}

machine Sender1 {
  start state Init {
    entry (reader: machine) { send reader, e1; }
  }
}

machine Sender2 {
  start state Init {
    entry (reader: machine) { send reader, e2; }
  }
}

machine Reader {
  start state First {
    on e1 do {
      announce first1;
      goto Second;
    }
    on e2 do {
      announce first2;
      goto Second;
    }
  }
  state Second { ignore e1, e2; }
}

spec SameOrder observes e1, e2, first1, first2 {
  start state Nothing {
    on e1 goto Sent1;
    on e2 goto Sent2;
  }
  state Sent1 {
    ignore e2, first1;
    on first2 do { assert false, "e1 was sent first, e2 was read first"; }
  }
  state Sent2 {
    ignore e1, first2;
    on first1 do { assert false, "e2 was sent first, e1 was read first"; }
  }
}

// L7: an event that two states defer is handled by the third.
event go;

machine Deferring {
  start state Init {
    entry {
      var patient: machine;
      patient = new Patient();
      send patient, e1;
      send patient, e2;
      send patient, go;
    }
  }
}

machine Patient {
  start state S0 {
    defer e1, e2;
    on go goto S1;
  }
  state S1 {
    defer e1;
    on e2 goto S2;
  }
  state S2 {
    on e1 do { assert false, "e1 is handled at last"; }
  }
}

// L8: a machine that halts leaves its state.
machine Leaving {
  start state Init {
    entry { raise halt; }
    exit { assert false, "the state was left"; }
  }
}

// L9: the old state is left before the function of the transition runs.
event over;

machine Crossing {
  var x: int;
  start state A {
    entry { raise over; }
    exit {
      assert x == 0, "left first";
      x = 1;
    }
    on over goto B with {
      assert x == 1, "then crossed";
      x = 2;
    }
  }
  state B {
    entry { assert x == 2, "then entered"; }
  }
}

test L1 [main=Overtaken]: { Overtaken, Middle, Last };
test L2 [main=Crossed]: { Crossed, Receiver, SenderA, SenderB };
test L3 [main=Survivor]: { Survivor, Mortal, Heir };
test L4 [main=Inside]: assert NotBetween in { Inside, Sink, PairA, PairB };
test L5 [main=Ordered]: assert SameOrder in { Ordered, Reader, Sender1, Sender2 };
test L6 [main=Straight]: { Straight, Receiver, SenderA, SenderB };
test L7 [main=Deferring]: { Deferring, Patient };
test L8 [main=Leaving]: { Leaving };
test L9 [main=Crossing]: { Crossing };
