// German's cache coherence protocol: a host hands out one line of memory, to many clients that share it or to one that owns it, and a processor
// makes clients ask. Who is asked to give the line back says how it was held.

param size: int;
param asks: int;
param isWrong: bool;

event wish: bool;
event wishAgain;
event ask: (client: machine, owns: bool);
event grant: bool;
event invalidate;
event invalidated: bool;

machine Host {
  var holders: set[machine];
  var isOwned: bool;
  var asking: (client: machine, owns: bool);
  var left: int;
  start state Idle {
    on ask do (asked: (client: machine, owns: bool)) {
      asking = asked;
      // Who is wrong forgets that there may be an owner.
      if (sizeof(holders) > 0 && (asked.owns || (isOwned && !isWrong))) goto Invalidating;
      give();
    }
  }
  fun give() {
    holders += (asking.client);
    isOwned = asking.owns;
    send asking.client, grant, asking.owns;
  }
  state Invalidating {
    defer ask;
    entry {
      var client: machine;
      left = sizeof(holders);
      foreach (client in holders) send client, invalidate;
    }
    on invalidated do (owned: bool) {
      assert !owned || sizeof(holders) == 1, "one client owns what another holds";
      left = left - 1;
      if (left > 0) return;
      holders = default(set[machine]);
      give();
      goto Idle;
    }
  }
}

machine Client {
  var host: machine;
  var owns: bool;
  start state Start {
    entry (whom: machine) {
      host = whom;
      goto Invalid;
    }
  }
  state Invalid {
    on wish goto Asking with (wantsToOwn: bool) { send host, ask, (client = this, owns = wantsToOwn); }
  }
  state Asking {
    ignore wish;
    on grant goto Holding with (isOwner: bool) { owns = isOwner; }
    // A client that shares the line and asks to own it gives it back first.
    on invalidate do give;
  }
  state Holding {
    on wish do (wantsToOwn: bool) {
      if (owns || !wantsToOwn) return;
      send host, ask, (client = this, owns = true);
      goto Asking;
    }
    on invalidate do {
      give();
      goto Invalid;
    }
  }
  fun give() {
    send host, invalidated, owns;
    owns = false;
  }
}

machine Processor {
  var clients: seq[machine];
  var asked: int;
  start state Init {
    entry {
      var host: machine;
      host = new Host();
      while (sizeof(clients) < size) clients += (0, new Client(host));
      send this, wishAgain;
    }
    on wishAgain do {
      if (asked == asks) return;
      asked = asked + 1;
      send choose(clients), wish, $;
      send this, wishAgain;
    }
  }
}

test param (size in [2, 3], asks in [2, 3, 4, 5]) german [main=Processor]: { Processor, Host, Client };
test param (size in [2], asks in [4], isWrong in [true]) ownerless [main=Processor]: { Processor, Host, Client };
