/** An engine that explores numbers, so that everybody sees what was explored, and in which order. */
import { DiagnosticError } from '../../../src/core/diagnostic.ts'
import { Random } from '../../../src/core/random.ts'
import { countedExecutions, type WorkUnit } from '../../../src/core/verdict.ts'
import type { Search } from '../../../src/distribute/driver.ts'
import type { Engine, EngineEvent, EngineRequest } from '../../../src/engines/engine.ts'
import type { Runnable } from '../../../src/program/program.ts'

export const subject: Runnable = {
  main: { body: function* () {}, args: [] },
  monitors: [],
  network: 'fifo',
  properties: [],
  maxSteps: 100,
  boundedByUser: false,
}

function unit(from: number, to: number): WorkUnit {
  return { format: 'allways-unit/1', engine: 'numbers', state: { from, to } }
}

interface Numbers {
  readonly all: number
  /** Numbers that are wrong, and what about them. */
  readonly wrong: ReadonlyMap<number, string>
  readonly diagnosed?: number | undefined
}

/** Explores numbers in order; asked to share, it gives away the later half. */
export function numbers({ all, wrong, diagnosed }: Numbers): Engine {
  return {
    name: 'numbers',
    summary: 'counts',
    needs: 'runnable',
    decides: [],
    claims: 'verified',
    options: {},
    counted: countedExecutions,
    units: 'split',
    weighs: (one) => {
      const { from, to } = one.state as { from: number; to: number }
      return (to - from) / all
    },
    *explore(_subject, _options, part): Generator<EngineEvent, void, EngineRequest> {
      const { from, to } = (part ?? unit(0, all)).state as { from: number; to: number }
      for (let [number, end] = [from, to]; number < end; number++) {
        if (number === diagnosed) throw new DiagnosticError({ code: 'E201', message: `${number}`, hint: '' })
        const message = wrong.get(number)
        if (message !== undefined) {
          const violation = { kind: 'assertion', property: message, message, process: 'main' } as const
          yield { kind: 'violation', violation, decisions: [decision(number)], foundIn: 1 }
        }
        const request = yield {
          kind: 'execution',
          blocked: number % 2 === 1,
          events: number,
          length: number,
          explored: (number + 1 - from) / all,
          decisions: () => [decision(number)],
        }
        if (request === undefined) continue
        const middle = request === 'share' ? number + 1 + Math.ceil((end - number - 1) / 2) : number + 1
        if (middle < end) yield { kind: 'surplus', unit: unit(middle, end) }
        end = middle
      }
    },
  }
}

function decision(option: number) {
  return { kind: 'choose', process: 'main', option } as const
}

export function drawn(seed: number): { readonly search: () => Search; readonly keepGoing: boolean } {
  const draws = new Random(seed)
  const all = 1 + draws.below(400)
  const many = draws.below(4)
  const wrong = new Map(Array.from({ length: many }, () => [draws.below(all), `wrong ${draws.below(3)}`] as const))
  const diagnosed = draws.below(5) === 0 ? draws.below(all) : undefined
  const engine = numbers({ all, wrong, diagnosed })
  return { search: () => ({ engine, subject, options: {} }), keepGoing: draws.below(2) === 0 }
}
