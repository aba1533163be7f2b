// A coffee machine: warming up, grinding, brewing, and three doors that somebody may open at the wrong time.

event warmUp;
event warm;
event grind;
event ground;
event brew;
event brewed;
event noBeans;
event noWater;
event espressoButton;
event doorOpened;
event doorClosed;
event resetButton;
event ready;
event coffee;
event trouble;

machine Maker {
  var panel: machine;
  start state Init {
    entry (whom: machine) { panel = whom; }
    on warmUp do { send panel, warm; }
    on grind do {
      if ($) send panel, ground;
      else send panel, noBeans;
    }
    on brew do {
      if ($) send panel, brewed;
      else send panel, noWater;
    }
  }
}

machine Panel {
  var maker: machine;
  var user: machine;
  start state Init {
    entry (whom: machine) {
      user = whom;
      maker = new Maker(this);
      goto WarmingUp;
    }
  }
  state WarmingUp {
    entry { send maker, warmUp; }
    on warm goto Ready;
    defer doorOpened, doorClosed;
    ignore espressoButton, resetButton;
  }
  state Ready {
    entry { send user, ready; }
    on espressoButton goto Grinding;
    on doorOpened goto Open;
    ignore resetButton, doorClosed;
  }
  state Grinding {
    entry { send maker, grind; }
    on ground goto Brewing;
    on noBeans goto Broken;
    defer doorOpened, doorClosed;
    ignore espressoButton, resetButton;
  }
  state Brewing {
    entry { send maker, brew; }
    on brewed do {
      send user, coffee;
      goto Ready;
    }
    on noWater goto Broken;
    defer doorOpened, doorClosed;
    ignore espressoButton, resetButton;
  }
  state Open {
    on doorClosed goto WarmingUp;
    ignore espressoButton, resetButton, doorOpened;
  }
  state Broken {
    entry { send user, trouble; }
    on resetButton goto WarmingUp;
    ignore espressoButton, doorOpened, doorClosed;
  }
}

// Thinks that buttons are pressed only when it is ready for them, and doors never.
machine HastyPanel {
  var maker: machine;
  var user: machine;
  start state Init {
    entry (whom: machine) {
      user = whom;
      maker = new Maker(this);
      send maker, warmUp;
    }
    on warm do { send user, ready; }
    on espressoButton do { send maker, grind; }
    on ground do { send maker, brew; }
    on brewed do { send user, coffee; }
    on noBeans, noWater goto Broken;
  }
  state Broken {
    entry { send user, trouble; }
    on resetButton do { send maker, warmUp; }
    ignore espressoButton, doorOpened, doorClosed, warm;
  }
}

// Wants two cups, and repairs what breaks as often as that takes.
machine User {
  var panel: machine;
  var cups: int;
  start state Init {
    entry {
      panel = new Panel(this);
      goto Waiting;
    }
  }
  state Waiting {
    on ready do {
      if (cups == 2) goto Served;
      send panel, espressoButton;
    }
    on coffee do { cups = cups + 1; }
    on trouble do { send panel, resetButton; }
  }
  state Served { ignore ready, coffee, trouble; }
}

// Presses everything at any time, three times.
machine Child {
  var panel: machine;
  var presses: int;
  start state Init {
    entry {
      panel = new Panel(this);
      while (presses < 3) {
        presses = presses + 1;
        press(choose(4));
      }
    }
    ignore ready, coffee, trouble;
  }
  fun press(which: int) {
    if (which == 0) send panel, espressoButton;
    else if (which == 1) send panel, resetButton;
    else if (which == 2) send panel, doorOpened;
    else send panel, doorClosed;
  }
}

// Whoever presses the button when the machine is ready gets coffee, or is told why not.
spec CoffeeComes observes espressoButton, coffee, trouble {
  start cold state Idle {
    on espressoButton goto Wanted;
    ignore coffee, trouble;
  }
  hot state Wanted {
    on coffee, trouble goto Idle;
    ignore espressoButton;
  }
}

// The same without an excuse.
spec OnlyCoffee observes espressoButton, coffee {
  start cold state Idle {
    on espressoButton goto Wanted;
    ignore coffee;
  }
  hot state Wanted {
    on coffee goto Idle;
    ignore espressoButton;
  }
}

test user [main=User]: assert CoffeeComes in { User, Panel, Maker };
test child [main=Child]: { Child, Panel, Maker };
// Doors and buttons come when nobody expects them.
test childAtHastyPanel [main=Child]: { Child, HastyPanel -> Panel, Maker };
// The beans may run out again and again.
test onlyCoffee [main=User]: assert OnlyCoffee in { User, Panel, Maker };
