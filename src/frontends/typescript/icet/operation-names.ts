/** Names that `allways` exports, as far as a process can meet them. */

/** Objects that several processes may use at once. */
export const sharedObjects: ReadonlySet<string> = new Set([
  'atomic',
  'barrier',
  'channel',
  'mutex',
  'oneshot',
  'readWriteLock',
  'semaphore',
  'timer',
])
