/**
 * Terms drawn from a seed. Most are protocols: phases that are safe one by one, put after each other, most of them with one to
 * three mistakes. The others are small and entirely random. About a third is safe for all sizes that are tried.
 */
import { Random } from '../../src/core/random.ts'
import type { Count, Expression, Icet, Statement } from '../../src/program/icet.ts'
import {
  choose,
  each,
  field,
  forEver,
  leave,
  literal,
  many,
  message,
  one,
  param,
  receive,
  repeat,
  self,
  send,
  term,
  the,
  variable,
  when,
} from './icet-build.ts'
import { Draft } from './icet-draft.ts'
import { mutated } from './icet-mutate.ts'
import { type Phase, phases } from './icet-phases.ts'

/** The term of a seed. */
export function generateIcet(seed: number): Icet {
  const random = new Random(Math.imul(seed + 1, 0x9e3779b1)).split()
  const name = `generated ${seed}`
  return random.below(100) < 20 ? smallTerm(name, random) : protocol(name, random)
}

function protocol(name: string, random: Random): Icet {
  const draft = new Draft(random, random.pick([0, 0, 0.1, 0.6]))
  for (let left = random.pick([1, 1, 2, 2, 2, 3, 3, 4]); left > 0; left--) drawnPhase(random)(draft)
  let icet = draft.finished(name)
  if (random.below(100) < 50) return icet
  for (let left = random.pick([1, 1, 2, 2, 3]); left > 0; left--) icet = mutated(icet, random)
  return icet
}

const totalWeight = phases.reduce((sum, [weight]) => sum + weight, 0)

function drawnPhase(random: Random): Phase {
  let at = random.below(totalWeight)
  for (const [weight, phase] of phases) {
    if (at < weight) return phase
    at -= weight
  }
  throw new Error('weights add up to their sum')
}

/** Two processes and a set that say `a` and `b` to each other. */
function smallTerm(name: string, random: Random): Icet {
  const small = new SmallTerm(random)
  return term(
    name,
    ['n'],
    one('p', ...small.statements({ who: 'p', knows: [the('m')] }, 3, 1)),
    one('m', ...small.statements({ who: 'm', knows: [the('p')] }, 2, 1)),
    many(
      'q',
      param('n', random.pick([0, 0, 0, -1, 1])),
      ...small.statements({ who: 'q', knows: [the('p'), the('p'), the('m')] }, 2, 1),
    ),
  )
}

/** A process of a small term while it is written. */
interface Author {
  readonly who: string
  /** Whom it can send to. */
  readonly knows: readonly Expression[]
}

class SmallTerm {
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  statements(author: Author, most: number, depth: number): Statement[] {
    const written: Statement[] = []
    let knows = author.knows
    for (let left = this.#random.below(most + 1); left > 0; left--) {
      written.push(...this.#statement({ ...author, knows }, depth))
      if (written.at(-1)?.kind === 'receive') knows = [...author.knows, field(variable('v'), 'from')]
    }
    return written
  }

  #times(): Count {
    const random = this.#random
    return random.below(3) === 0 ? { kind: 'number', value: 2 } : param('n', random.pick([0, 0, 0, -1, 1]))
  }

  #statement(author: Author, depth: number): Statement[] {
    const random = this.#random
    const kind = random.pick(['a', 'a', 'b'])
    const someone = () => random.pick(author.knows)
    switch (random.below(depth > 0 ? 10 : 6)) {
      case 0:
      case 1:
      case 2:
        return [send(someone(), message(kind, { from: self }))]
      case 3:
      case 4:
        return [receive('v', kind)]
      case 5:
        return [receive('v', kind, someone())]
      case 6:
      case 7: {
        const knows = [...author.knows, variable('e'), variable('e')]
        return [each('e', 'q', ...this.statements({ ...author, knows }, 2, depth - 1))]
      }
      case 8:
        return [repeat(undefined, this.#times(), ...this.statements(author, 2, depth - 1))]
      default:
        if (random.below(3) === 0) return [forEver(...this.statements(author, 2, depth - 1), leave)]
        return [
          choose('c', literal(0), literal(1)),
          when(variable('c'), this.statements(author, 1, 0), this.statements(author, 1, 0)),
        ]
    }
  }
}
