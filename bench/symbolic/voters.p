// An urn, and voters that are all alike: each votes as it likes, and hears that its vote was counted.

param size: int;
param isWrong: bool;

event decide;
event vote: (voter: machine, yes: bool);
event counted: int;

machine Urn {
  var yes: int;
  var no: int;
  start state Open {
    on vote do (one: (voter: machine, yes: bool)) {
      if (one.yes) yes = yes + 1;
      else no = no + 1;
      assert !isWrong || yes < size, "everybody agrees";
      send one.voter, counted, yes + no;
    }
  }
}

machine Voter {
  var urn: machine;
  var isCounted: bool;
  start state Voting {
    entry (into: machine) { urn = into; send this, decide; }
    on decide do { send urn, vote, (voter = this, yes = $); }
    on counted do (so_far: int) {
      assert !isCounted, "counted twice";
      isCounted = true;
    }
  }
}

machine Day {
  start state Init {
    entry {
      var urn: machine;
      var many: int;
      urn = new Urn();
      while (many < size) {
        new Voter(urn);
        many = many + 1;
      }
    }
  }
}

test param (size in [3, 5, 7]) voters [main=Day]: { Day, Urn, Voter };
test param (size in [3], isWrong in [true]) agreed [main=Day]: { Day, Urn, Voter };
