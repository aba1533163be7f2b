/**
 * Writes `docs/errors.md` from the table of diagnostic codes and the explanations below.
 *
 *   node scripts/errors.mjs             writes the page
 *   node scripts/errors.mjs --print     prints it instead
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { argv, stdout } from 'node:process'
import { transformSync } from 'esbuild'

/** For every code: what causes it, and what to do. A code without an explanation is an error. */
const explanations = {
  E101: [
    'A path on the command line names no file, a folder without check files, or something that the system does not let you read.',
    'Look at the hint: it names the nearest file. Check files end in `.check.ts`, `.check.mts`, `.check.js`, `.check.mjs`.',
  ],
  E102: [
    'The file, or one it imports, is not valid TypeScript, imports a module that does not exist, or is not a module.',
    'Repair the line shown. Types are stripped, not checked: `tsc` tells you about type errors.',
  ],
  E103: [
    'The file was loaded, but none of its exports is a program.',
    "Export the program: `export default program('name', function* () { … })`. A file may export several.",
  ],
  E104: [
    'Code at the top level of the file threw while the file was loaded, or awaits something that never comes.',
    'Move what can fail into a process, or repair it. The top level runs once, before any check.',
  ],
  E105: [
    'The first word is not a command, the command does not have the option, or an option that takes one value is given twice.',
    '`npx allways --help`, `npx allways check --help`.',
  ],
  E106: [
    'No program has the text after `-t` in its name.',
    '`npx allways list` shows the names. Case does not matter.',
  ],
  E107: [
    'An option or a parameter has a value it cannot have, or a name that nothing has, or two options exclude each other: on ' +
      'the command line, in `check(…)`, in a declaration or in an operation. Sizes given to `every` are whole numbers.',
    'The hint says what is accepted, or the nearest right name. Options are plain objects.',
  ],
  E108: ['`--engine` names no engine.', '`npx allways list --engines` shows them.'],
  E109: [
    'A network name is unknown, on the command line or in `program(…)` or `send(…)`.',
    'Networks are `bag`, `fifo`, `causal`, `mailbox`, `sender-queue`; for `--network` also `fifo-eager`.',
  ],
  E110: [
    '`--param` or `params` names a parameter that no selected program has.',
    'Parameters are declared, with defaults: `program(name, { params: { clients: 3 } }, …)`.',
  ],
  E111: ['`--reporter` names no reporter.', 'Reporters are `text`, `json` and `mermaid`.'],
  E112: [
    'A package that allways needs has a binary for each platform, and the one for this platform is not there: `node_modules` ' +
      'was copied from another computer or into a container, or optional dependencies were left out.',
    'Remove `node_modules` and run `npm install` on this computer, without `--omit=optional`.',
  ],
  E113: [
    'A file that `merge` was given is no report of a shard, or is damaged; or reports are not of one search: of another ' +
      'program or version of it, of other options, of another number of shards; or a shard is there twice.',
    'Explore all shards with the same command, but for the number of the shard, and name each report once.',
  ],
  E114: [
    'Code of a check file, or of what it imports, calls `process.exit` or the like, throws from the callback of a timer or ' +
      'listener, or changes objects of the language, as `Array.prototype`, while it is loaded or checked. The command and other files ' +
      'depend on these.',
    'Remove it. The file may throw while it is loaded to say that it cannot be checked.',
  ],
  E201: [
    'An execution was repeated with the same decisions, and a process did something else. It depends on more than its ' +
      'operations: a variable outside its function, an object shared between processes, the order of I/O.',
    'Keep all state inside the process function. Pass what it needs as arguments or messages. Let `choose` pick what is open.',
  ],
  E202: [
    'A process went round a loop very often without performing an operation. It would never end. Of P programs: a handler made 5,000 choices in one run and chooses again, and it may end or not; 1,000 choices are enough where its variables or its calls within calls grow with them.',
    'Make the loop end, or wait in it with `receive`. Do not wait for a variable to change: no other process can change it.',
  ],
  E203: [
    'A process performed more operations in one execution than any bounded program needs, so the search would not end.',
    'Bound the loop, or give a bound with `--max-steps n`; the verdict then names the bound.',
  ],
  E204: [
    '`send`, `join` or the `from` of a `receive` or `poll` got a value that is not the address of a process.',
    'Addresses come from `spawn`, `spawnAll`, `self` and messages. Usually a `yield*` or `await` in front of `spawn` got lost.',
  ],
  E205: [
    'A message or announced event holds a function, a class instance, a symbol, a promise, a getter or a field that is not enumerable. These are not values.',
    'Send plain data: JSON-like objects and arrays, addresses, `Map`, `Set`, `bigint`.',
  ],
  E207: [
    'In a generator, an operation or a generator function made of operations was called without `yield*` in front of it, or with `yield`. It is not performed.',
    'Write `yield*` in front of every operation and of every call of a generator function.',
  ],
  E208: [
    'A process performed a value that is not an operation, such as a number or another iterator; or it used a promise that the check does not control: one of another process, of code that `allways` did not load, or in a generator.',
    'Perform operations of `allways`, and generators or async functions made of them. Make promises in the async process that uses them.',
  ],
  E209: [
    'A process drew a random number or used the network, or a generator read a clock or set a timer. Replay could not repeat that.',
    'Make a process with timers async, or model time with `poll`, randomness with `choose`, the other side of a connection with a process.',
  ],
  E210: ['`choose` got no options.', 'Pass an array with at least one element.'],
  E211: [
    'A generator called an async function, did not await it, and went on to another operation; or a promise outside processes was rejected, and nobody awaits it.',
    'Await the call, or make the process async: there a call that nobody awaits goes on by itself.',
  ],
  E212: [
    'The body given to `spawn`, `spawnAll`, `repeat`, `program` or `monitor` is not a generator function or an async function.',
    'Write `function* () { … }` or `async () => { … }`.',
  ],
  E213: [
    'A process name is empty, not a text, or contains `/` or `#`, which process ids use themselves; or it is `__proto__`, which an object cannot hold as it holds other names.',
    'Choose another name. Two processes may have the same name; ids are made unique.',
  ],
  E214: [
    'The condition of a `final` returned neither true nor false nor a text, or a filter returned a promise or another object: that of a `receive`, a `poll`, a `scan` or a monitor; or what a monitor keeps is a promise.',
    'A condition ends in `return true`, and neither it nor a filter can be async. Of a filter texts and numbers count as they do in JavaScript, as in `receive((message) => message.kind)`; an object would always be true. A condition that throws is a violation, and no mistake.',
  ],
  E215: [
    'An async process uses a construct that cannot be run step by step, such as `super` in an async method of an object literal; or a process that is a generator uses an async generator, `for await` or `await using`, which need an event loop.',
    'The hint says how to write it instead.',
  ],
  E216: [
    '`spawnAll`, `repeat`, `semaphore`, `barrier` or `channel` got a count that is not a whole number.',
    'Pass a number. A parameter declared with `every` is one inside the program: take it from the argument of the body.',
  ],
  E217: [
    'A budget of faults names a fault that does not exist, has a number that is none, or more restarts than crashes; or it is given where none can be taken: to `prove`, to the network `fifo-eager`.',
    'Write `faults: { crashes: 1, restarts: 1, losses: 2, duplicates: 1, partitions: 1 }`, or a part of it. See the guide on faults.',
  ],
  E218: [
    'A monitor performed an operation that the program could notice, or that adds executions: `send`, `spawn`, `join`, `poll`, `choose`, `assume` or `self`. Or a process performed `hot` or `cold`, which are for monitors.',
    'A monitor may `receive` notifications, `assert`, `announce`, and be `hot` or `cold`. What it must know, let a process announce.',
  ],
  E220: [
    'A stand-in of `allways/services` is asked for something it does not have: a table that was not declared, a key that is no text, ' +
      'a row that is no object, a comparison that conditions do not know, a function where the database needs data, a route without a handler that gives a response; or `standIn` is called for what nothing imports, too late, or without what is imported.',
    'As the hint says. What services take is listed in the guide: [Services](guide/services.md).',
  ],
  E221: [
    'A machine lacks its `state`, has a part with an unknown name, has a handler that is not a function, or cannot begin.',
    'The parts are `state`, `start`, `on`, `timers`, `requests`, `durable`. Make random choices in a handler, not in `state`.',
  ],
  E222: [
    'A system has no machines, has a request for an unknown machine or with an unknown name, or has an unknown option, an unknown part or a wrong invariant; or the function that declares its parts threw.',
    'The hint lists the names that exist. Machines come from `machine(…).as(…)`, invariants from `invariant` and `conflict`.',
  ],
  E223: [
    'A handler sent a message to a value that is not the name of a machine of the system.',
    'Names are those of `machines` in the system; `context.self`, `context.peers` and `context.from` hold them.',
  ],
  E224: [
    'The state of a machine, or of a monitor, holds a function, a class instance, a symbol or a promise. These are not values.',
    'Keep plain data: objects, arrays, `Map`, `Set`, `bigint`. States are compared, kept and sent to disk.',
  ],
  E225: [
    'A handler of a machine is async, or returned a promise; or it called an operation of processes, which does nothing there.',
    'Handlers run at once, from beginning to end. What comes later is a message, a timer or a request with its own handler.',
  ],
  E226: [
    'A handler set or cancelled a timer that its machine does not have, or set a timer without a duration, or to one that is not a number, 0 or more.',
    'Declare the timer: `timers: { retry(state, context) { … } }`. A check lets it fire at any time.',
  ],
  E227: [
    'A function of an `invariant` or a `conflict` returned a wrong result: an invariant returns true, false or a text, and a fact is a value; a condition of `liveness`, `eventually` or `leadsTo` returns true or false, and `hot` of a monitor false or a text. Or a monitor with a state threw. Or a function that says what an event of a P program means as a call threw, or returned something else. Or such a function called an operation, such as `announce`, that does nothing there.',
    'States may lack what you expect: test before you read. An invariant or a `liveness` that throws is violated, and no mistake.',
  ],
  E228: [
    'A handler sent a message without a `kind`, or announced `null` or `undefined`. The `kind` selects the handler of the receiver.',
    "Send or announce a record that says what it is: `{ kind: 'ack', … }`.",
  ],
  E229: [
    'A handler called `create` with a name that is none, without a machine, or in `start`.',
    "Write `create('worker', worker.as())` in a handler of a message, a timer or a request.",
  ],
  E230: [
    'A handler changed a message or an argument, an invariant changed a state, or a process changed a Map or Set of a message. All of them are shared, and frozen.',
    'Change a copy: `{ ...message, hops: 1 }`, `[...log].sort()`. A handler may change its own state.',
  ],
  E231: [
    'A test of a P program can reach the call of a foreign function: one that is declared without a body, because it is written in another language. ' +
      'What it does is not known, so nothing of the test is explored. Types without a definition are refused in such functions as well.',
    'Write what it may do in P: a body, with `choose` where its answer is not known. Or write it in TypeScript, in a check file: ' +
      "`export default pModel('./model.p', { foreign: { max: (a, b) => … } })`.",
  ],
  E232: [
    'A function that `pModel` gives to a P program returned something that is no value of the type that P declares for it.',
    'Return a number for an int, an array for a tuple or seq, an object with all fields for a record, a Set for a set, a Map for a map. ' +
      'Machines and events cannot be made in TypeScript: return one that was given.',
  ],
  E233: [
    'A check file abstracts a type of a P program, so that its values are known by their classes alone. The program does something ' +
      'with them that depends on more than that: how many keys a map has, in which order values are, what text a value has.',
    'Compare values by `==` and `!=`, keep them, send them, use them as keys, and ask whether a key is in a map or a set. Or leave ' +
      'the type out of `abstract`, and check some values of it.',
  ],
  E234: [
    '`next` of a protocol that is declared by its `actions` returned something else, or an action in it lacks its name or what comes after ' +
      'it, or has a part that actions do not have, or there are more than 10,000 of them. Or the system lets machines crash: all parties ' +
      'of the protocol would crash at once.',
    'Return a list of `{ name, after, announces }`, an empty one where nothing can happen. Write a crash of one party as an action.',
  ],
  E235: [
    'A system says with `alike` that some of its machines play the same part, and `--symmetry` was asked for. Where two of them change ' +
      'places a handler leaves, sends or announces something else, or an invariant says something else: names are compared, ' +
      'sorted in one place and not in another, or stand in longer texts; the first of them is taken; or machines have numbers. The message says which handler, and what came ' +
      'about instead of what. Or a protocol by `actions` says with `alike` that some parties play the same part. In a state that was ' +
      'met parties changed places, and something else could happen, was announced, or was said by an invariant; or parties refer to each ' +
      'other by name or number, as servers that vote for servers; or `renamed` and `parties` do not belong together.',
    'Leave out `--symmetry`, or let nothing depend on which machine or party is which: no names in what is announced, no first or last ' +
      'one. Keep names in a list always sorted, or always as they come. Of a party, say all that a state says of it in `parties` and `renamed`.',
  ],
  E236: [
    '`byzantine(machine, { says })` is given no kind of machine or something else than `says`; `says` holds something that is no message, ' +
      'a message twice, one of a kind that no machine takes, or a signature of a name that no machine has. Or the system asks for what ' +
      'is not judged with Byzantine machines: `liveness`, `monitors`, a network other than `bag` and `fifo`.',
    'List plain messages that machines of the system take. What must hold of correct machines is an `invariant`, a `conflict` or a refinement.',
  ],
  E237: [
    'A handler calls `signed` with the name of another machine, or sends or keeps what another machine has signed without having ' +
      'been sent it: the signature comes from a variable outside, from an argument, or was written out by hand.',
    'Sign with your own name, `signed(context.self, …)`, and pass on of others what stands in a message. What a Byzantine ' +
      'machine `says` may hold any signature: it is said once its owner has sent it.',
  ],
  E301: [
    'Processes, classes and systems of machines are explored by `dpor`, `exhaustive`, `random`, `pct` and `stateful`; systems ' +
      'of machines by `local` as well, and P programs by `symbolic`. `sequentialize` proves programs with a parameter declared with `every(…)`, and ' +
      '`histories` decides recorded histories. The engine that was asked for explores another kind of program, or one ' +
      'whose states it cannot compare: `stateful` takes no processes with a budget of faults.',
    'Choose one of the engines in the hint. To check a class, declare it with `linearizable` and use `allways linearize`.',
  ],
  E302: [
    'The engine cannot decide a property the program has: `local` cannot decide deadlock, and `--deadlock error` asks for it. ' +
      'It decides refinement by pairs of calls, which says nothing of votes and open rounds of a quorum tree.',
    'Choose one of the engines in the hint.',
  ],
  E303: [
    'A method awaits a promise that neither the class nor the client nor `allways/sync` settles: a timer, I/O, a promise ' +
      'of a package. The check owns the order of events and cannot wait for one it does not control.',
    'Await your own async methods, promises that the class settles itself, or the primitives of `allways/sync`.',
  ],
  E304: [
    'A call does not end even when it runs alone, so a search would not end either.',
    'Bound its loops. Do not wait for a field to change: wait with a `Mutex`, a `Semaphore` or a promise.',
  ],
  E305: [
    'The class uses a feature that the check cannot follow or repair. The message names it.',
    'The hint says what to change.',
  ],
  E306: [
    'The text of a client has a syntax error, or names an operation the class does not have.',
    'Write the calls of each process in braces: `{ push(1) } || { push(2); pop() }`.',
  ],
  E307: [
    'An operation or the constructor calls a function with a construct that cannot be run access by access; or the construct belongs to a class or to the file itself, such as a decorator or a namespace. Functions of packages are refused when they are called.',
    'The hint says how to write it instead. Functions that no operation calls may stay as they are, next to the class. Services (`allways/services`) are for processes: check a class that calls one in an async process, with its methods as they are; or give the check of the class a fake, passed in or with `standIn`.',
  ],
  E308: [
    'The check of a class is not declared completely: there is no class, or several, or no operations, or the arguments of an operation cannot be inferred.',
    'Declare it: `export default linearizable(Stack, { operations: { push: [1, 2], pop: [] } })`.',
  ],
  E309: [
    'The engine explores systems of machines on some networks and with some faults only: `local` on `bag` and `fifo`, without duplicated messages, on `fifo` without losses or with any number of them, and where no machine creates another; `symbolic` on `sender-queue`, `fifo` and `bag`. It also leaves out what comes after a handler of a P program that takes more than 100,000 blocks or 250 choices, or whose calls are nested too deep, and says so if it finds nothing else. `dpor` and `local` do not decide whether a P program refines a specification.',
    'Take an engine that the hint names, such as `--engine stateful`, or leave `--engine` out.',
  ],
  E401: ['The file is not a trace.', 'Traces are the `*.trace.json` files that `check` and `fuzz` write.'],
  E402: [
    'The file is a trace, but part of it is missing or has the wrong type.',
    'Run the check again to get a new one.',
  ],
  E403: [
    'The trace was written by a version of allways with another format.',
    'Run the check again with this version, or replay with the other one.',
  ],
  E404: [
    'The recorded decisions are impossible in the program as it is now. The message names the first such step.',
    'If the program was meant to change, the trace has served its purpose: run the check again.',
  ],
  E405: [
    'The program changed since the checkpoint was written, or the file is not a checkpoint.',
    'Start the search again without `--resume`.',
  ],
  E406: [
    '`prove` was asked about a program that declares no parameter with `every`, so it has no size to generalise over.',
    'Use `check`, or declare what varies: `program(name, { params: { clients: every(3) } }, …)`.',
  ],
  E407: [
    'A parameter is declared with `every`, and nothing in the program depends on it.',
    'Spawn that many processes with `spawnAll`, count rounds with it, or leave it out.',
  ],
  E408: [
    'A process is spawned in a loop or condition, after communication, or by one of many. `prove` needs to know all processes ' +
      'at the beginning.',
    'Spawn first. Several processes with the same body are `spawnAll(n, name, body, …)`.',
  ],
  E409: [
    'A function with operations calls itself and goes on after the call. `prove` cannot read it as a loop.',
    'Make the call the last act of the function, `return yield* f(…)`, or write a loop.',
  ],
  E410: [
    'A loop with operations goes through a value that is not the set of a `spawnAll`: an array of a message, a list built ' +
      'at run time.',
    'Go through the set, or count the rounds with `repeat(k, …)`.',
  ],
  E412: [
    'Two processes use the same variable or object: a closure, a variable of the module, a mutex or a channel.',
    'Pass values that are known at the beginning as arguments of `spawn`. Send the others in messages.',
  ],
  E413: [
    'The program uses `join`, `poll`, a monitor, a final condition or a network other than `fifo`.',
    'Leave it out for `prove`, as the hint says, or use `check`, which decides it for the sizes you name.',
  ],
  E414: [
    'A loop without a fixed number of rounds sends messages and never receives one, so nothing bounds the number of messages in flight.',
    'Count the rounds with `repeat(k, …)`, or wait for an answer in every round.',
  ],
  E415: [
    'A message is sent to, or awaited from, a value that `prove` cannot trace to a process: a value out of a table, a text, a ' +
      'whole set, a member by its index.',
    'Take addresses from `spawn`, `self`, fields of messages, `for…of` over a set and `choose(set)`.',
  ],
  E416: [
    'A process uses a construct that `prove` does not read. `check` may well accept it.',
    'The hint says how to write it instead.',
  ],
  E417: [
    'The call of `program(…)` is not written in the check file, or its name, options or parameters are computed.',
    "Write it with literals: `export default program('name', { params: { clients: every(3) } }, function* ({ clients }) { … })`.",
  ],
  E418: [
    'A file given with `--proof` is not a proof of this program: it has a step that is not allowed, or it leaves part of the program unproved.',
    'Let `allways prove <file>` look for a proof again; `--print proof` writes it down.',
  ],
  E419: [
    'A trace or a checkpoint names the file with its program. That file has changed since, or lies outside of the project, and replaying or resuming would run it.',
    'If you want to run that file, name it after the trace or checkpoint, or give `--trust`. `allways show` prints a trace without running anything.',
  ],
  E501: [
    'The file is not a history: it cannot be read, or one of its lines is not an event. Or a line has a number that would be rounded, such as `9007199254740993` or `1e999`: results that differ could be read as equal ones.',
    'Each line is an object with `process`, `type` (`invoke`, `ok`, `fail` or `info`), `op`, `args` and `value`. Write large numbers as texts or as `{"#bigint": "9007199254740993"}`, and count times from the first event.',
  ],
  E502: [
    'The events of a history cannot have happened: a call returns that was not made, or a process makes two at once.',
    'Look at the line shown, and at how the history was recorded.',
  ],
  E503: [
    'The history has an operation, or arguments, that the specification does not know.',
    'Choose another specification with `--spec`, or rename the operation; the hint lists those there are.',
  ],
  E504: [
    'The specification threw instead of saying what an operation may return.',
    'Return an effect with `throws` for an operation that fails, and `undefined` for one that cannot happen.',
  ],
  E601: [
    'An address given to `allways run` cannot be used: it has no port, a port above 65535, or a host that does not exist.',
    'Write it as `127.0.0.1:7001`, `[::1]:7001` or `localhost:7001`.',
  ],
  E602: [
    'A machine, or its control channel, cannot listen at the address: the port is in use or reserved, or the address belongs to another computer.',
    'Choose another port, or 0 for any that is free.',
  ],
  E603: [
    'The file of a machine in its `--state-dir` is damaged, belongs to another machine or another version, or could not be written.',
    'Bring back the file, or move it away if the machine may forget what it has promised. A machine that cannot write its state stops, and sends nothing more.',
  ],
  E604: [
    'A snapshot of a running system is damaged or of another version.',
    'Take another one from the control channel of a machine.',
  ],
  E605: [
    'A machine did not send its part in time, so the snapshot of the whole system is not complete.',
    'A snapshot needs every machine to be running and to be reached; the message names those that were silent.',
  ],
  E606: [
    'The machines cannot be run as asked: the system has no machines, one of them has no address, the system relies on an order that the transport does not keep, or a machine creates another.',
    'Look at the hint: it says what is missing.',
  ],
  E607: [
    'No machine answers at a control address, or whoever answers does not have the same key.',
    'Compare the address with what `allways run` printed, and give the same `--key-file`, or start the command in the folder where the machine was started.',
  ],
  E608: [
    'A snapshot was taken of another system than the one that is checked, or its states do not fit this system.',
    'Check with the file, and the parameters, that the system was started with.',
  ],
  E609: [
    'The file with the key of the machines can be read or changed by other users, or the key that was found in `.allways` belongs to somebody else. The first is a warning, and the command goes on.',
    'Close the file with `chmod 600`, or name a key of your own with `--key-file`.',
  ],
  E610: [
    'The system refines a specification, and the snapshot does not say which calls of it were announced until then: a machine was restarted that keeps no state, or more than 5,000 calls were announced, or the file was written by an earlier version. What the object is by then is not known, and nothing can be said about later calls.',
    'Run every machine with `--state-dir`, which keeps calls over restarts. Declare operations of which repeated calls change nothing as `idempotent`: these are kept once.',
  ],
  E611: [
    'The file that `--log` names is no log that `allways run --log` has written, or a line of it is damaged. The last line may be cut off where a machine was killed.',
    'Name the log as it was written. A line that is cut off at the end can be removed: what stands before it is judged.',
  ],
  E612: [
    'A log lacks what its calls may depend on, or two logs contradict each other: an event has not the number after the one before it, a message was received that nobody wrote to have sent, the log of a machine or of one of its lives is missing, a machine began a second time without what it had announced before, or it came back with other calls than its logs have until then. Nothing can be said about calls whose past is not known.',
    'Name the logs of all machines and of all their lives, one `--log` for each file, and use new files for each run. A machine that comes back needs `--state-dir`.',
  ],
  E613: [
    'The log that `--log` names is of another system, of other parameters or machines than another log, or of another version of the file.',
    'Check with the file that the machines were started from, and with logs of one run.',
  ],
  E701: [
    'A P file has a character that no P program has, a string or a comment that does not end, or an escape that strings do not have.',
    'Repair it at the place shown. If a string does not end, look at the first one that has several lines too.',
  ],
  E702: [
    'The grammar of P expects something else at the place shown. Reading went on behind it, so that other mistakes are shown too.',
    'The hint says what could be meant. Repair the first one first.',
  ],
  E703: [
    'A `{` is not closed before something begins that cannot stand in its block, or a `}` closes nothing.',
    'The place is where it was noticed, and the line of the open brace stands behind the message.',
  ],
  E704: [
    'A name is expected, and a word of the language stands there. Surprising ones are `data`, `values`, `keys`, `format`, `type`, `test`, `main`, `safe`, `wise`, `scenario`, `param`, `to`.',
    'Choose another name. Fields of tuples are names too.',
  ],
  E705: [
    'The program uses what older versions of P had: `push`, `pop`, `swap`, `move`, `static fun`, `model`, bounds of events.',
    'The hint says what to write today. `--p-legacy` reads bounds of events, and ignores them.',
  ],
  E706: [
    'The program uses a word of the deductive verifier of P, such as `invariant`, `pure`, `forall`, `Lemma`, `Proof`. These words are reserved in all programs.',
    'Say it with `assert` or in a `spec` machine. Where it is a name in an older program, rename it, or read the program with `--p-legacy`.',
  ],
  E707: [
    'A local variable is declared behind a statement, or a declaration gives its variable a value.',
    'Declare variables at the beginning of the body of the function, and assign to them behind all declarations.',
  ],
  E708: [
    'Brackets, blocks or operators stand in each other so deeply, or a chain of operators or of aliases is so long, that the program is not read; or a type has thousands of parts.',
    'Give parts of the expression names, and parts of the body functions of their own.',
  ],
  E709: [
    'The meaning is clear, and P writes it differently: `==` to compare, `(a = 1,)` with a comma for a record with one field, parentheses around a tuple that is inserted, a `:` before the module of a test, `1.05` for a float.',
    'The hint shows how it is written.',
  ],
  E710: [
    'A P program uses a name that nothing declares, or that stands for something else than what is needed: a type, an event, a variable, a function, a state, a machine, a module, a parameter, a field.',
    'The hint names the nearest one that exists, or says how to declare it.',
  ],
  E711: [
    'Two declarations have one name in the same name space. Types, enums, interfaces, machines and monitors share one, events and elements of enums another. Fields of a named tuple, numbers of an enum and values of a parameter are given once, too.',
    'Rename one of them. The line of the first stands behind the message.',
  ],
  E712: [
    'A value has another type than the one that is needed there, a cast cannot succeed, or an alias contains itself. Nothing is converted by itself.',
    'Use `to` to convert numbers and `as` to say what an `any` or a `machine` is. Named tuples agree in names and their order.',
  ],
  E713: [
    'What goes with `send`, `raise`, `announce`, `new`, `goto` or a call is not what is declared, or a handler takes something else than its event carries.',
    'Give one value of the declared type, or the items of an unnamed tuple one by one. A case of `receive` names the payload if there is one.',
  ],
  E714: [
    'A machine or a state is not complete, or says something twice: start states, entry and exit functions, what happens to an event, cases of a `receive`; or a handler is not a function of the machine with at most one parameter.',
    'Each machine has one start state, and each state says once what happens to an event.',
  ],
  E715: [
    'A `spec` or a `scenario` sends, announces, receives, creates, defers, chooses, handles `null` or uses `this`, itself or through a function it calls.',
    'Let a machine do it. A monitor observes, remembers and asserts.',
  ],
  E716: [
    '`raise` or `goto` in a function that returns a value, in an exit function or between two states; `break` or `continue` outside of loops; `this` or `goto` in a global function; an assignment to what cannot be changed.',
    'The hint says where it can stand.',
  ],
  E717: [
    'A function declares what it returns, and has a path that ends without `return`.',
    'Return a value on every path, or write `assert false` where none should come to.',
  ],
  E718: [
    'A number does not fit 32 bits, `choose` has more than 10000 ways to go on, or the placeholders of a text do not fit its values.',
    'Placeholders are `{0}`, `{1}`, …; a brace itself is written twice. Plain strings are read in the same way.',
  ],
  E720: [
    'A module creates what nothing in it is bound to, binds something twice, joins modules that share too much, hides or renames what it cannot, or asserts a monitor over machines that do not send what it observes.',
    'The message names the machine, interface or event. Add what is missing to the module of the test.',
  ],
  E721: [
    'A test or an implementation begins with a machine that is not in its module or needs a payload, asks for a refinement, or there is neither a test nor a machine `Main`.',
    'Declare one: `test tcName [main=M]: { M, … };`.',
  ],
  E722: [
    'A parameter of tests is neither a number nor a boolean, gets a value of another type or one twice, too many are combined, or the assumption is not a condition on parameters that holds for some of the values.',
    'Values are literals. Combine between one and all of the parameters.',
  ],
  E730: [
    'A monitor has a handler for an event that it does not observe. This is a warning.',
    'Add the event after `observes`, or remove the handler if the monitor does not raise the event itself.',
  ],
  E731: [
    'A scenario has no cold state, so that nothing covers it, or it starts in one. This is a warning.',
    'Write `cold` before the state that is reached when the scenario has happened.',
  ],
  E732: [
    'A P program has monitors and declares no test, so that nothing attaches them, or it has tests of which none asserts the monitor: it watches nothing. This is a warning.',
    'Declare a test that attaches them, `test tc [main=Main]: assert Watch in { Main, … };`, or, without tests, check with `--monitors all`.',
  ],
  E733: [
    'A state of a machine is hot or cold, which has no effect: only monitors say what has to happen some time. This is a warning.',
    'Write a spec with a hot state that observes what must be answered, and attach it in the test.',
  ],
  E801: [
    'Nobody answers at the URL, or name, password or TLS are not what that Redis wants, or it is too old, full, or throws keys away ' +
      'when it is.',
    'Look whether Redis runs there, with `redis-cli -u URL ping`. Its policy has to be `noeviction`. What it holds of a run stays.',
  ],
  E802: [
    'The search is not one that workers could share: its engine gives no parts away, or it is of a class or of a P program, or the ' +
      'program needs what only this machine has, such as a package, a file or the environment.',
    'Use threads, `--workers auto`, or shards, or one of the engines that are named.',
  ],
  E803: [
    'A worker, or a command that goes on with a run, has another key, or another version of allways or of Node, another platform, or another language or time zone for a program that knows dates; ' +
      'or what lies in Redis was changed by somebody who does not have the key.',
    'Give all the same `--key-file` and the same versions. If somebody else writes to the Redis, find out who.',
  ],
  E804: [
    'There is no run of that name at this Redis, because it has been collected or is older than a day; or another command collects it.',
    'Wait until the other command has ended, or start the search again.',
  ],
  E805: [
    'Three workers, one after the other, ended while they explored the same unit: it takes more memory than they have, or code of the ' +
      'program ends the process.',
    'The hint has a command that explores the unit in its own process, before all else that is left.',
  ],
}

const chapters = {
  1: 'Files and command line',
  2: 'Processes',
  3: 'Engines, views and classes',
  4: 'Trace and checkpoint files, programs to prove',
  5: 'Histories',
  6: 'Machines on a network',
  7: 'Programs in P',
  8: 'Workers on other machines',
}

const table = new URL('../src/core/diagnostic-codes.ts', import.meta.url)
const target = new URL('../docs/errors.md', import.meta.url)
const page = errorsPage(await diagnosticCodes())
if (argv.includes('--print')) stdout.write(page)
else writeFileSync(target, page)

async function diagnosticCodes() {
  const { code } = transformSync(readFileSync(table, 'utf8'), { loader: 'ts', format: 'esm' })
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  return module.diagnosticCodes
}

function errorsPage(codes) {
  const unknown = Object.keys(explanations).filter((code) => !(code in codes))
  if (unknown.length > 0) throw new Error(`explained, but no longer a code: ${unknown.join(', ')}`)
  const sections = Object.entries(chapters).map(([digit, chapter]) => {
    const entries = Object.entries(codes).filter(([code]) => code[1] === digit)
    return [`## ${chapter}`, ...entries.map(([code, title]) => entry(code, title))].join('\n\n')
  })
  return `${[head(), ...sections].join('\n\n')}\n`
}

function head() {
  return `# Diagnostic codes

${wrapped(
  'A diagnostic says that the check could not be run as asked. It says nothing about the program. The exit status is 2. ' +
    'Codes are never reused. [Troubleshooting](guide/troubleshooting.md) leads to pages that show each of them as it is printed.',
)}

<!-- Generated by scripts/errors.mjs from src/core/diagnostic-codes.ts; do not edit. -->`
}

function entry(code, title) {
  const explanation = explanations[code]
  if (explanation === undefined) throw new Error(`scripts/errors.mjs does not explain ${code}`)
  const [cause, remedy] = explanation
  return [`### ${code}`, `**${title}**`, wrapped(cause), wrapped(`What to do: ${remedy}`)].join('\n\n')
}

function wrapped(text) {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last.length + word.length + 1 > 100) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines.join('\n')
}
