// Two customers, one seat. Each asks whether it is free and then books it.
//   npx allways check examples/tickets.p
//   npx allways check examples/tickets.p --network mailbox
// Change it: let Customer book without asking first. Is the question worth anything?

event isFree: machine;
event free: bool;
event book: machine;
event booked: bool;

machine Office {
  var sold: int;
  start state Selling {
    on isFree do (who: machine) { send who, free, sold == 0; }
    on book do (who: machine) {
      sold = sold + 1;
      send who, booked, true;
    }
  }
}

// Looks before it sells.
machine CarefulOffice {
  var sold: int;
  start state Selling {
    on isFree do (who: machine) { send who, free, sold == 0; }
    on book do (who: machine) {
      if (sold == 0) {
        sold = 1;
        send who, booked, true;
      } else {
        send who, booked, false;
      }
    }
  }
}

machine Customer {
  var office: machine;
  start state Asking {
    entry (whom: machine) {
      office = whom;
      send office, isFree, this;
    }
    on free do (yes: bool) {
      if (yes) send office, book, this;
    }
    on booked do (yes: bool) { print "booked"; }
  }
}

// Sees every message when it is sent.
spec OneTicket observes booked {
  var tickets: int;
  start state Watching {
    on booked do (yes: bool) {
      if (yes) tickets = tickets + 1;
      assert tickets <= 1, "the seat is sold twice";
    }
  }
}

machine Evening {
  start state Init {
    entry {
      var office: machine;
      office = new Office();
      new Customer(office);
      new Customer(office);
    }
  }
}

test hasty [main=Evening]: assert OneTicket in { Evening, Office, Customer };
test careful [main=Evening]: assert OneTicket in { Evening, CarefulOffice -> Office, Customer };
