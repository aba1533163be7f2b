// Accounts of a bank. A client takes out money, and the bank promises that an account never goes below ten.

event withdraw: (client: machine, account: int, amount: int);
event withdrawn: (account: int, balance: int, isDone: bool);
event balances: map[int, int];

// The server of the real system: one account at a time.
machine Bank {
  var balance: map[int, int];
  start state Serving {
    entry (initial: map[int, int]) { balance = initial; }
    on withdraw do (asked: (client: machine, account: int, amount: int)) {
      var isDone: bool;
      isDone = balance[asked.account] - asked.amount >= 10;
      if (isDone) balance[asked.account] = balance[asked.account] - asked.amount;
      send asked.client, withdrawn, (account = asked.account, balance = balance[asked.account], isDone = isDone);
    }
  }
}

// Forgets the ten that must be left.
machine GenerousBank {
  var balance: map[int, int];
  start state Serving {
    entry (initial: map[int, int]) { balance = initial; }
    on withdraw do (asked: (client: machine, account: int, amount: int)) {
      var isDone: bool;
      isDone = balance[asked.account] >= asked.amount;
      if (isDone) balance[asked.account] = balance[asked.account] - asked.amount;
      send asked.client, withdrawn, (account = asked.account, balance = balance[asked.account], isDone = isDone);
    }
  }
}

// An abstraction of the bank that knows no balances: it says no, or yes with any balance that a bank could have left.
machine AnyBank {
  start state Serving {
    entry (initial: map[int, int]) { }
    on withdraw do (asked: (client: machine, account: int, amount: int)) {
      if ($) send asked.client, withdrawn, (account = asked.account, balance = 10 + choose(2), isDone = true);
      else send asked.client, withdrawn, (account = asked.account, balance = 10, isDone = false);
    }
  }
}

machine Client {
  var bank: machine;
  var account: int;
  start state Init {
    entry (made: (bank: machine, account: int)) {
      bank = made.bank;
      account = made.account;
      goto Asking;
    }
  }
  state Asking {
    entry { send bank, withdraw, (client = this, account = account, amount = 1 + choose(2)); }
    on withdrawn do (answer: (account: int, balance: int, isDone: bool)) {
      assert answer.account == account, "somebody else's answer";
      if (answer.isDone) goto Asking;
      goto Poor;
    }
  }
  state Poor { }
}

// Money does not come from nowhere, and ten is left.
spec BalanceIsRight observes balances, withdraw, withdrawn {
  var known: map[int, int];
  var asked: map[int, int];
  start state Init {
    on balances goto Watching with (initial: map[int, int]) { known = initial; }
  }
  state Watching {
    on withdraw do (one: (client: machine, account: int, amount: int)) { asked[one.account] = one.amount; }
    on withdrawn do (answer: (account: int, balance: int, isDone: bool)) {
      assert answer.balance >= 10, "less than ten is left";
      if (answer.isDone) {
        assert answer.balance == known[answer.account] - asked[answer.account], "the balance is wrong";
        known[answer.account] = answer.balance;
      }
    }
  }
}

// Everybody who asks is answered.
spec Answered observes withdraw, withdrawn {
  var waiting: int;
  start cold state Idle {
    on withdraw do {
      waiting = 1;
      goto Waiting;
    }
  }
  hot state Waiting {
    on withdraw do { waiting = waiting + 1; }
    on withdrawn do {
      waiting = waiting - 1;
      if (waiting == 0) goto Idle;
    }
  }
}

fun open(accounts: int): machine {
  var initial: map[int, int];
  while (sizeof(initial) < accounts) initial[sizeof(initial)] = 13;
  announce balances, initial;
  return new Bank(initial);
}

machine OneClient {
  start state Init {
    entry { new Client((bank = open(1), account = 0)); }
  }
}

machine TwoClients {
  start state Init {
    entry {
      var bank: machine;
      bank = open(2);
      new Client((bank = bank, account = 0));
      new Client((bank = bank, account = 1));
    }
  }
}

test oneClient [main=OneClient]: assert BalanceIsRight, Answered in { OneClient, Client, Bank };
test twoClients [main=TwoClients]: assert BalanceIsRight, Answered in { TwoClients, Client, Bank };
test generous [main=OneClient]: assert BalanceIsRight in { OneClient, Client, GenerousBank -> Bank };
// An abstract server shows nothing wrong with a client, but it is no bank …
test abstractServer [main=OneClient]: assert Answered in { OneClient, Client, AnyBank -> Bank };
test abstractBalance [main=OneClient]: assert BalanceIsRight in { OneClient, Client, AnyBank -> Bank };
// … and with two clients that take turns there need not be a moment at which nobody waits.
test alwaysOneWaiting [main=TwoClients]: assert Answered in { TwoClients, Client, AnyBank -> Bank };
