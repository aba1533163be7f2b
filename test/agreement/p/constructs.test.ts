/** What generated P programs are made of: nothing of the language is lost from them unnoticed. */
// @module-tag cut
import { expect, test } from 'vitest'
import { amount, atLeast } from '../../amount.ts'
import { generatedProgram } from './generate.ts'

const programs = amount({ quick: 60, rest: 240, thorough: 1_000, all: 4_000 })

/** Of a hundred programs, so many have it at least; about half of what there are. */
const constructs: { readonly [what: string]: readonly [least: number, sign: RegExp] } = {
  // Machines and states
  'exit functions': [30, /^\s*exit \{/m],
  'deferred events': [30, /^\s*defer e/m],
  'ignored events': [25, /^\s*ignore e/m],
  'transitions with a function': [20, /goto \w+ with/],
  'handlers with a name': [12, /do handle\d/],
  'what happens when nothing comes': [2, /on null do/],
  'raised events': [35, /raise e/],
  'raised halt': [4, /raise halt/],
  receive: [40, /^\s*receive \{/m],
  'receive in a loop': [12, /(?:while|foreach) [^\n]*\{\n(?:(?!\n\s*\}\n)[\s\S])*?receive \{/],
  'several events in a case': [2, /case e\d, e\d/],
  'announced events': [25, /announce e/],
  'events as values': [8, /send \w+, x\d;/],
  // Values
  '`$` and `$$`': [20, /\$\$?[^\w]/],
  choose: [40, /choose\(/],
  'choose from a collection': [4, /choose\([a-z_]/],
  casts: [25, / as (?:int|bool|string|seq|tRec|data)/],
  'conversions of numbers': [20, / to (?:int|float)\)/],
  'default values': [35, /default\(/],
  'loops over elements': [8, /foreach \(/],
  remainders: [25, / % /],
  'lists of anything': [20, /: seq\[any\];/],
  'anything in a list, taken out as what it is': [2, /\[\d\] as int\)/],
  'maps of lists of sets': [20, /: map\[int, seq\[set\[int\]\]\];/],
  'a set in a list in a map, changed': [4, /\[\d\]\[0\] [+-]= /],
  'lists of maps to anything': [20, /: seq\[map\[string, any\]\];/],
  'anything in a map in a list, taken out as what it is': [3, /\[0\]\["n"\] as int\)/],
  data: [30, /: data[;,)]/],
  'data as payload': [8, /event e\d: data;/],
  // Who may be sent what
  'types of machines': [20, /var \w+: Main;/],
  'interfaces as types': [20, /var \w+: Part;/],
  'event sets as types': [20, /var \w+: PartSet;/],
  'conversions to interfaces': [10, / to (?:Main|Part)\)/],
  'casts to types of machines': [8, / as (?:Main|Part|PartSet)\)/],
  'interfaces as payload': [6, /event e\d: Part;/],
  receives: [15, /machine \w+ receives/],
  sends: [15, /sends e0/],
  // Who watches
  monitors: [35, /^spec /m],
  scenarios: [12, /^scenario /m],
  'hot states': [12, /hot state/],
  'cold states': [15, /cold state/],
  // Modules and tests
  'no test': [1, /^(?![\s\S]*\n(?:test|implementation) )/],
  implementations: [2, /^implementation /m],
  'named modules': [15, /^module /m],
  union: [8, /\(union /],
  compose: [2, /\(compose /],
  'hidden events': [2, /\(hidee /],
  'hidden interfaces': [1, /\(hidei /],
  'renamed interfaces': [1, /\(rename /],
  'machines bound to interfaces': [1, / -> I[AB]/],
  'creations by an interface': [1, /new I[AB]\(/],
  'main in a module': [2, /= main Main in/],
  'monitors over a part': [1, /^module first = \(assert/m],
  'monitors within monitors': [1, /= \(assert Mon0 in[\s\S]*assert Mon1 in/],
  parameters: [8, /test param/],
  assumptions: [2, /assume \(|assume !|assume p/],
  'pairs of parameters': [1, / pairwise /],
  'groups of parameters': [1, / wise\) /],
}

test('generated programs have all of the language, and much of it often', () => {
  const texts = Array.from({ length: programs }, (_, seed) => generatedProgram(seed))
  const shares = Object.entries(constructs).map(([what, [least, sign]]) => {
    const found = texts.filter((text) => sign.test(text)).length
    return { what, least, found: (100 * found) / programs }
  })
  expect(shares.filter(({ least, found }) => found < atLeast(least))).toEqual([])
})
