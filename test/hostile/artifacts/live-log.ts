/** A snapshot of the replicated log of `test/online/fixtures/log.check.ts`, as files have it. */

interface Live {
  readonly format: string
  readonly system: string
  readonly params: object
  readonly takenAt: string
  readonly missing: number
  readonly machines: readonly string[]
  readonly states: readonly { readonly data: object; readonly requests: number }[]
  readonly underWay: readonly unknown[]
}

export const idle = { timers: [], requests: 12, crashes: 0 }
export const chosen = { 0: 'l0', 1: 'l1', 2: 'l2', 3: 'l3' }
export const late = { 2: 'l2', 3: 'l3' }

/** All four values are chosen; the right replica has not heard of the first and has yet to append. */
export const liveLog: Live = {
  format: 'allways-snapshot/1',
  system: 'log',
  params: { appends: 12, kept: 2 },
  takenAt: '2026-01-01T00:00:00.000Z',
  missing: 1,
  machines: ['left', 'middle', 'right'],
  states: [
    { data: { chosen, accepted: late, proposal: null }, ...idle },
    { data: { chosen: late, accepted: late, proposal: null }, ...idle },
    { data: { chosen: late, accepted: late, proposal: null }, ...idle, requests: 0 },
  ],
  underWay: [],
}
