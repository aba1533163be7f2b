// A cloakroom. Who brings a coat has a ticket for it, and gets it back with the ticket.
//
//   npx allways check examples/cloakroom.p

type Ticket = int;
type Coat = int;

event hang: (guest: machine, ticket: Ticket, coat: Coat);
event hung;
event collect: (guest: machine, ticket: Ticket);
event given: (isThere: bool, coat: Coat);

// Three tickets and two coats. cloakroom.check.ts has all that there may be.
fun myTicket(): Ticket { return 0; }
fun otherTicket(): Ticket { return 1 + choose(2); }
fun myCoat(): Coat { return 0; }
fun anyCoat(): Coat { return choose(2); }

machine Cloakroom {
  var hooks: map[Ticket, Coat];
  start state Open {
    on hang do (coming: (guest: machine, ticket: Ticket, coat: Coat)) {
      hooks[coming.ticket] = coming.coat;
      send coming.guest, hung;
    }
    on collect do (going: (guest: machine, ticket: Ticket)) {
      if (going.ticket in hooks) {
        send going.guest, given, (isThere = true, coat = hooks[going.ticket]);
        hooks -= (going.ticket);
      }
      else send going.guest, given, (isThere = false, coat = default(Coat));
    }
  }
}

// Clears the hook that was used last, whoever it belongs to.
machine Absentminded {
  var hooks: map[Ticket, Coat];
  var last: Ticket;
  start state Open {
    on hang do (coming: (guest: machine, ticket: Ticket, coat: Coat)) {
      hooks[coming.ticket] = coming.coat;
      last = coming.ticket;
      send coming.guest, hung;
    }
    on collect do (going: (guest: machine, ticket: Ticket)) {
      if (going.ticket in hooks) {
        send going.guest, given, (isThere = true, coat = hooks[going.ticket]);
        hooks -= (last);
      }
      else send going.guest, given, (isThere = false, coat = default(Coat));
    }
  }
}

// Others come and go, before and after I do.
machine Guests {
  var room: machine;
  var ticket: Ticket;
  var coat: Coat;
  var isInside: bool;
  start state Arriving {
    entry (mine: (ticket: Ticket, coat: Coat)) {
      room = new Cloakroom();
      ticket = mine.ticket;
      coat = mine.coat;
      goto Evening;
    }
  }
  state Evening {
    entry {
      if ($) send room, hang, (guest = this, ticket = otherTicket(), coat = anyCoat());
      else if ($) send room, collect, (guest = this, ticket = otherTicket());
      else if (isInside) goto Leaving;
      else {
        isInside = true;
        send room, hang, (guest = this, ticket = ticket, coat = coat);
      }
    }
    on hung goto Evening;
    on given goto Evening;
  }
  state Leaving {
    entry { send room, collect, (guest = this, ticket = ticket); }
    on given do (back: (isThere: bool, coat: Coat)) {
      assert back.isThere, "my coat is there";
      assert back.coat == coat, "it is mine";
      isInside = false;
      goto Evening;
    }
  }
}

machine Me { start state Init { entry { new Guests((ticket = myTicket(), coat = myCoat())); } } }

test careful [main=Me]: { Me, Guests, Cloakroom };
test absentminded [main=Me]: { Me, Guests, Absentminded -> Cloakroom };
