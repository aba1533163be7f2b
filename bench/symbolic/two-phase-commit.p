// Two-phase commit of one transaction: every participant votes as it likes, and hears what was decided.

param size: int;
param isWrong: bool;

event prepare: machine;
event vote: bool;
event decide: bool;
event outcome: bool;

machine Participant {
  var isWilling: bool;
  var checker: machine;
  start state Init {
    entry (whom: machine) { checker = whom; }
    on prepare do (coordinator: machine) {
      isWilling = $;
      send coordinator, vote, isWilling;
    }
    on decide do (yes: bool) {
      assert !yes || isWilling, "committed what a participant refused";
      send checker, outcome, yes;
    }
  }
}

machine Checker {
  var some: bool;
  var first: bool;
  start state Init {
    on outcome do (yes: bool) {
      assert !some || yes == first, "some commit and some abort";
      some = true;
      first = yes;
    }
  }
}

machine Coordinator {
  var participants: seq[machine];
  var votes: int;
  var isRefused: bool;
  start state Init {
    entry {
      var checker: machine;
      var one: machine;
      checker = new Checker();
      while (sizeof(participants) < size) participants += (0, new Participant(checker));
      foreach (one in participants) send one, prepare, this;
    }
    on vote do (yes: bool) {
      var one: machine;
      votes = votes + 1;
      // Who is wrong remembers the last vote alone.
      if (isWrong) isRefused = !yes;
      else isRefused = isRefused || !yes;
      if (votes == size) foreach (one in participants) send one, decide, !isRefused;
    }
  }
}

test param (size in [2, 4, 6]) commit [main=Coordinator]: { Coordinator, Participant, Checker };
test param (size in [2], isWrong in [true]) lastVote [main=Coordinator]: { Coordinator, Participant, Checker };
