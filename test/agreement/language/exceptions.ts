/** Snippets that do not log under control what they log in Node. Each is refused, or listed in docs/guide/async.md and objects.md. */
import type { Form } from './compare.ts'

export interface Exception {
  readonly forms: readonly Form[]
  /** Of the names of snippets. */
  readonly of: RegExp
  /** The code of the diagnostic, or what is listed in the guide. */
  readonly outcome: `E${number}` | 'text of a function' | 'words of a message' | 'asked of a proxy' | 'not initialized'
}

const compiled = ['process', 'jobs'] as const
const inClasses = ['class'] as const

export const exceptions: readonly Exception[] = [
  { forms: compiled, of: /^function: async declaration in a case: called/, outcome: 'E215' },
  { forms: inClasses, of: /^function: async declaration in a case/, outcome: 'E307' },
  { forms: ['class', 'jobs'], of: /^function: async declaration twice/, outcome: 'E102' },
  { forms: ['process'], of: /^function: generator (?:declaration|method): called/, outcome: 'E208' },
  { forms: compiled, of: /^value: \(\(\) => \{\}\)$/, outcome: 'text of a function' },
  { forms: inClasses, of: /^value: \(\(\) => \{\}\)$/, outcome: 'E209' },
  { forms: ['process'], of: /^proxy: await p$/, outcome: 'asked of a proxy' },
  { forms: inClasses, of: /^proxy(?!.*revocable)/, outcome: 'E305' },
  { forms: inClasses, of: /^proxy.*revocable/, outcome: 'E307' },
  { forms: inClasses, of: /^function: (?:.*(?:method|text)|class|bound async function): as a value$/, outcome: 'E307' },
  {
    forms: inClasses,
    of: /^(?:objects|mistakes): .*Object\.(?:freeze|seal|preventExtensions|setPrototypeOf)/,
    outcome: 'E307',
  },
  { forms: inClasses, of: /^objects: Reflect\.get/, outcome: 'E307' },
  { forms: inClasses, of: /^inheritance: async n\(\) \{ const inner.*new B\(1\); log\(b,/, outcome: 'E307' },
  { forms: inClasses, of: /^closures in loops: .*f = \(\) => i/, outcome: 'E307' },
  { forms: inClasses, of: /^async generator: const f = async function\*/, outcome: 'E307' },
  { forms: inClasses, of: /return new\.target/, outcome: 'E307' },
  { forms: inClasses, of: /^function: class expression: called$/, outcome: 'words of a message' },
  {
    forms: inClasses,
    of: /^members: static a.*c\.c = 9|^mistakes of classes: class A \{ (?:get x|#m\(\) \{\} f)/,
    outcome: 'words of a message',
  },
  { forms: inClasses, of: /^try: try \{ null\(\)|^destructuring: const \{ x \} = null/, outcome: 'words of a message' },
  { forms: inClasses, of: /^switch: .*case 0: let y/, outcome: 'not initialized' },
]

/** Where any order of promises is explored, that of Node is one of them. */
export function isInOneOrder(name: string): boolean {
  return name.startsWith('promise: ')
}
