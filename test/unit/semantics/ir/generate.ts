/** Generated IR programs: three machines that know each other. Handlers send events of higher number only, so that every execution ends. */
import { Random } from '../../../../src/core/random.ts'
import type { Ir } from '../../../../src/ir/ir.ts'
import {
  assert,
  binary,
  bool,
  choose,
  create,
  does,
  type Fn,
  goto,
  int,
  item,
  type MachineText,
  machine,
  number,
  program,
  raise,
  receive,
  type Statement,
  self,
  send,
  set,
  the,
  tuple,
  when,
} from './build.ts'

const events = ['e0', 'e1', 'e2'] as const

export function generated(seed: number): Ir {
  const random = new Random(seed)
  let asserted = 0
  const to = () => random.pick([self, the('left'), the('right')])
  const later = (level: number): string => events[level + random.below(events.length - level)] as string
  const step = (level: number): readonly Statement[] => {
    switch (random.below(8)) {
      case 0:
      case 3:
        // What came before what shows in the number.
        return [set('n', binary('add', binary('multiply', the('n'), number(3)), number(random.below(2) + 1)))]
      case 1:
        return [choose('b'), when(the('b'), [set('n', number(2))])]
      case 2:
      case 4:
        // Each assertion has words of its own, so that outcomes are told apart.
        return [assert(binary('less', the('n'), number(2)), `n stays below 2, ${asserted++}`)]
      default:
        return level < events.length ? [send(to(), later(level))] : []
    }
  }
  const ending = (level: number): readonly Statement[] => {
    switch (random.below(6)) {
      case 0:
        return [goto('B')]
      case 1:
        return level < events.length ? [receive({ [later(level)]: [set('n', number(1))] })] : []
      case 2:
        return level < events.length ? [raise(later(level))] : []
      case 3:
        return [raise('halt')]
      default:
        return []
    }
  }
  const handler = (level: number): Fn => ({
    locals: { b: bool },
    body: [...Array.from({ length: random.below(2) + 1 }, () => step(level)).flat(), ...ending(level)],
  })
  const reactions = (): MachineText['states'][string]['on'] =>
    Object.fromEntries(
      events.map((event, level) => {
        const kind = random.below(6)
        return [event, kind === 0 ? 'defer' : kind === 1 ? 'ignore' : kind === 2 ? { goto: 'B' } : handler(level + 1)]
      }),
    )
  const peer = (): MachineText => ({
    fields: { left: machine, right: machine, n: int },
    states: {
      A: {
        entry: {
          param: 'known',
          locals: { b: bool },
          body: [set('left', item(the('known'), 0)), set('right', item(the('known'), 1)), ...step(0)],
        },
        on: reactions() ?? {},
      },
      B: { on: reactions() ?? {} },
    },
  })
  return program({
    events: [...events],
    machines: {
      Main: {
        fields: { left: machine, right: machine, n: int },
        states: {
          A: {
            entry: {
              locals: { p: machine, q: machine, b: bool },
              body: [
                create('P', tuple(self, self), 'p'),
                create('Q', tuple(self, the('p')), 'q'),
                set('left', the('p')),
                set('right', the('q')),
                send(the('p'), 'e0'),
                ...step(0),
              ],
            },
            on: reactions() ?? {},
          },
          B: { on: Object.fromEntries(events.map((event) => [event, does()])) },
        },
      },
      P: peer(),
      Q: peer(),
    },
  })
}
