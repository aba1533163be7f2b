/**
 * The operations of the built-in specifications, with the other names under which recorders know them. This is the only
 * table of names; the first name of each row is the one used in reports and documentation.
 */

type Names = { readonly [operation: string]: readonly string[] }

export const operationNames = {
  register: { read: ['get', 'load'], write: ['put', 'set', 'store'] },
  'cas-register': {
    read: ['get', 'load'],
    write: ['put', 'set', 'store'],
    cas: ['compareAndSet', 'compareAndSwap', 'compareExchange'],
  },
  counter: {
    get: ['read', 'value', 'load'],
    increment: ['inc', 'incr'],
    decrement: ['dec', 'decr'],
    add: ['addValue'],
    getAndIncrement: ['fetchAndIncrement'],
    incrementAndGet: [],
    getAndDecrement: ['fetchAndDecrement'],
    decrementAndGet: [],
    getAndAdd: ['fetchAndAdd'],
    addAndGet: [],
  },
  set: { add: ['insert'], remove: ['delete'], contains: ['has', 'includes'], read: ['members', 'values'], size: [] },
  map: {
    get: ['read'],
    put: ['set', 'write'],
    append: [],
    remove: ['delete'],
    putIfAbsent: [],
    getAndPut: ['getAndSet', 'swap'],
    cas: ['compareAndSet', 'replace'],
    contains: ['has', 'containsKey'],
    size: [],
  },
  queue: {
    enqueue: ['enq', 'push', 'add', 'offer', 'put', 'send'],
    dequeue: ['deq', 'shift', 'poll', 'take', 'remove', 'receive'],
    peek: ['front', 'element'],
    size: [],
  },
  stack: { push: ['add', 'put'], pop: ['poll', 'take'], peek: ['top'], size: [] },
  'priority-queue': {
    insert: ['add', 'push', 'offer', 'enqueue'],
    deleteMin: ['removeMin', 'extractMin', 'poll', 'pop', 'dequeue'],
    min: ['findMin', 'peek'],
    size: [],
  },
  lock: { acquire: ['lock'], release: ['unlock'], tryAcquire: ['tryLock'] },
  log: { append: ['send', 'push'], read: ['get'], poll: ['readFrom'], size: ['length'] },
  'multi-register': { txn: ['transaction'] },
} as const satisfies { readonly [name: string]: Names }
