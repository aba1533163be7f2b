/**
 * Objects of ours whose names are all that can be asked of them: a method that is misspelt is a mistake with the right name beside it, and not
 * the TypeError of calling `undefined`. What they have is found as on any object; only what they lack is looked for further up, and found here.
 */
import { nameMeant, suggestion } from './did-you-mean.ts'
import { ownView } from './plain-value.ts'
import { mistake, running } from './running.ts'

/** What promises, printers and test runners ask of whatever they are given. */
const asked: ReadonlySet<string> = new Set([
  'then',
  'toJSON',
  'inspect',
  'asymmetricMatch',
  'nodeType',
  'tagName',
  'length',
  'size',
  'default',
])

interface Known {
  /** Whose names they are: `specification "lock"`. */
  readonly of: string
  /** What one of them is called, and several. */
  readonly noun: readonly [one: string, all: string]
}

/** The prototype of such objects. */
export function knowingNames(of: (one: object) => Known): object {
  return ownView(
    new Proxy(
      {},
      {
        get(inherited, name, one: object) {
          if (typeof name === 'symbol' || name in inherited) return Reflect.get(inherited, name, one)
          refuseName(name, one, of)
          return undefined
        },
      },
    ),
  )
}

/** Outside of what is checked somebody may only look whether there is such a name; a slip is one everywhere. */
function refuseName(name: string, one: object, of: (one: object) => Known): void {
  const known = Object.keys(one)
  const isSlip = nameMeant(name, known) !== undefined
  if (asked.has(name) || !(isSlip || (running.process !== undefined && /^[a-z]\w*$/i.test(name)))) return
  const {
    of: whose,
    noun: [noun, all],
  } = of(one)
  mistake({ code: 'E107', message: `${whose} has no ${noun} "${name}"`, hint: suggestion(name, known, all) })
}
