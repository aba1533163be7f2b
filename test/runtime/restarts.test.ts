/** Snapshots while machines are stopped and started anew, over a network that does what it likes. */
import { expect, test } from 'vitest'
import type { Snapshot } from '../../src/core/snapshot.ts'
import { machine, system } from '../../src/index.ts'
import type { MachineHost } from '../../src/runtime/machine-host.ts'
import { amount, cut } from '../amount.ts'
import { type ClusterOptions, dataOf, machinesIn, opened, openedAgain, until } from './cluster.ts'

interface Clock {
  readonly life: number
  turn: number
  sent: Record<string, number>
  /** The latest life and number that was heard of. */
  heard: Record<string, { life: number; number: number }>
}
type Tick = { readonly kind: 'tick'; readonly life: number; readonly number: number }

/** Ticks to everybody in turn, for ever; remembers the latest of whoever ticks. */
const clock = machine<Clock, Tick, { readonly life: number }>('clock', {
  state: ({ args }) => ({ life: args.life, turn: 0, sent: {}, heard: {} }),
  start(state, context) {
    for (const peer of context.peers) {
      state.sent[peer] = 1
      context.send(peer, { kind: 'tick', life: state.life, number: 1 })
    }
    context.setTimer('tick', { milliseconds: 1 })
  },
  timers: {
    tick(state, context) {
      const to = context.peers[state.turn++ % context.peers.length] as string
      const number = (state.sent[to] ?? 0) + 1
      state.sent[to] = number
      context.send(to, { kind: 'tick', life: state.life, number })
      context.setTimer('tick', { milliseconds: 1 })
    },
  },
  on: {
    tick(state, { life, number }, { from }) {
      const before = state.heard[from] ?? { life: 0, number: 0 }
      if (life > before.life || (life === before.life && number > before.number)) state.heard[from] = { life, number }
    },
  },
})

const clocks = system('clocks', { params: { life: 1 } }, ({ life }) => ({
  machines: Object.fromEntries(['a', 'b', 'c'].map((name) => [name, clock.as({ life })])),
}))

/** What somebody knows, or is on its way, and was not sent by the state of its sender. */
function neverSent({ machines, states, underWay }: Snapshot): readonly string[] {
  const data = new Map(machines.map((name, at) => [name, states[at]?.data as unknown as Clock]))
  const isSent = (from: string, to: string, { life, number }: { life: number; number: number }): boolean => {
    const sender = data.get(from) as Clock
    return life < sender.life || (life === sender.life && number <= (sender.sent[to] ?? 0))
  }
  const known = [...data].flatMap(([to, { heard }]) =>
    Object.entries(heard).map(([from, tick]) => ({ from, to, tick })),
  )
  const coming = underWay.map(({ from, to, message }) => ({ from, to, tick: message as unknown as Tick }))
  return [...known, ...coming]
    .filter(({ from, to, tick }) => !isSent(from, to, tick))
    .map(({ from, to, tick }) => `${tick.life}.${tick.number} from ${from} to ${to}`)
}

interface Rounds {
  readonly rounds: number
  /** There are more of them until so many snapshots were taken. */
  readonly least: number
}

async function restarted(options: ClusterOptions, { rounds, least }: Rounds): Promise<readonly Snapshot[]> {
  const names = ['a', 'b', 'c']
  let failed = 0
  const optionsOf = (name: string, life: number) => ({
    ...options,
    // Longer on a machine that is too slow for it.
    patienceMilliseconds: patience * (1 + failed),
    system: clocks.name,
    machines: machinesIn(clocks, { life }),
    machine: name,
  })
  const hosts = new Map<string, MachineHost>()
  for (const name of names) hosts.set(name, await opened(optionsOf(name, 1)))
  const peers = new Map([...hosts].map(([name, host]) => [name, host.address]))
  for (const host of hosts.values()) host.start(peers)
  const ticks = (): number => dataOf<Clock>(hosts.get('a') as MachineHost).turn
  const taken: Snapshot[] = []
  let isOver = false
  const takers = ['a', 'c'].map(async (name) => {
    while (!isOver) {
      const snapshot = await (hosts.get(name) as MachineHost).snapshot()
      failed = snapshot.ok ? 0 : failed + 1
      if (snapshot.ok) taken.push(snapshot.value)
      else await new Promise((resolve) => setTimeout(resolve, 5))
    }
  })
  for (let round = 0; round < rounds || taken.length < least; round++) {
    const name = round % 5 === 4 ? 'c' : 'b'
    // At other moments of a snapshot each time.
    const enough = ticks() + ((round * 37) % 100)
    await until(() => ticks() >= enough)
    await hosts.get(name)?.stop()
    const next = await openedAgain({ ...optionsOf(name, round + 2), listen: peers.get(name) })
    hosts.set(name, next)
    next.start(peers)
  }
  isOver = true
  await Promise.all(takers)
  return taken
}

const patience = 400
const faults = { loss: 0.05, duplication: 0.1, reordering: 0.3, delay: { least: 0, most: 15 } }

test.each(['udp', 'tcp'] as const)(
  'over %s, no snapshot holds a message that its sender has not sent, whoever begins anew meanwhile',
  cut,
  async (transport) => {
    const options = { transport, faults, seed: 7, graceMilliseconds: 30 }
    const rounds = amount({ quick: 10, thorough: 40, all: 40 })
    const taken = await restarted(options, { rounds, least: rounds / 10 })
    expect(taken.flatMap(neverSent)).toEqual([])
  },
)
