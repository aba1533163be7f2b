/** What generators inherit (ECMA-262 §27.5.1, §27.6.1): functions like those of the user, whose calls are stepped through. */
import { requesting } from './async-generators.ts'
import { fn } from './callables.ts'
import type { Body } from './functions.ts'
import { generatorPrototypes, type ResumptionKind } from './generator-objects.ts'
import { resuming } from './generators.ts'

const itself: Body = function* (this: unknown) {
  return this
}

const kinds: readonly ResumptionKind[] = ['next', 'return', 'throw']

function define(owner: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(owner, key, { value, writable: true, configurable: true })
}

/** Gives generators their methods. */
export function equipGenerators(): void {
  const { ofSync, ofAsync } = generatorPrototypes
  for (const kind of kinds) {
    define(ofSync, kind, fn(resuming(kind), 0, kind))
    define(ofAsync, kind, fn(requesting(kind), 0, kind))
  }
  define(ofSync, Symbol.iterator, fn(itself, 0, '[Symbol.iterator]'))
  define(ofAsync, Symbol.asyncIterator, fn(itself, 0, '[Symbol.asyncIterator]'))
  define(ofSync, Symbol.toStringTag, 'Generator')
  define(ofAsync, Symbol.toStringTag, 'AsyncGenerator')
}
