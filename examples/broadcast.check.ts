/**
 * Four machines, one of which may lie, and it is the one that broadcasts: it tells some of them one
 * value and some another. So nobody believes what it is told. Each machine tells all others what it
 * was told first, and delivers a value for which a quorum stands: three of four, itself included.
 * The liar stands for whatever it likes.
 *
 *   npx allways check examples/broadcast.check.ts --engine local
 *   npx allways check examples/broadcast.check.ts --engine local --param quorum=2
 *
 * Two quorums of three have two machines in common, and one of these is correct. Quorums of two
 * have only the liar in common.
 */
import { byzantine, conflict, machine, system } from 'allways'

type Message = { readonly kind: 'initial' | 'echo'; readonly value: string }

interface Replica {
  /** What each machine stands for, by name. */
  echoes: { [machine: string]: string }
  delivered?: string
}

const replica = machine<Replica, Message, { readonly quorum: number }>('replica', {
  state: () => ({ echoes: {} }),
  on: {
    initial(state, { value }, { from, peers, self, send, args }) {
      if (from !== 'source' || self in state.echoes) return
      for (const to of peers) send(to, { kind: 'echo', value })
      hear(state, self, value, args.quorum)
    },
    echo(state, { value }, { from, args }) {
      hear(state, from, value, args.quorum)
    },
  },
})

/** Only the first word of each machine counts. */
function hear(state: Replica, by: string, value: string, quorum: number): void {
  if (by in state.echoes) return
  const names = [...Object.keys(state.echoes), by].sort()
  state.echoes = Object.fromEntries(names.map((name) => [name, state.echoes[name] ?? value]))
  const voices = Object.values(state.echoes).filter((one) => one === value).length
  if (voices >= quorum) state.delivered ??= value
}

const agreement = conflict<Replica>('agreement', { each: ({ delivered }) => delivered })

export default system('broadcast', { params: { quorum: 3 }, faults: {} }, ({ quorum }) => ({
  machines: {
    source: byzantine(replica, {
      says: (['initial', 'echo'] as const).flatMap((kind) => [
        { kind, value: 'a' },
        { kind, value: 'b' },
      ]),
    }),
    anna: replica.as({ quorum }),
    bert: replica.as({ quorum }),
    cleo: replica.as({ quorum }),
  },
  invariants: [agreement],
}))
