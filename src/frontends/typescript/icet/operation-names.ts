/** Names that `allways` exports, as far as a process can meet them. */

/** Objects that several processes may use at once. */
export const sharedObjects: ReadonlySet<string> = new Set([
  'barrier',
  'channel',
  'mutex',
  'oneshot',
  'readWriteLock',
  'register',
  'semaphore',
  'timer',
])
