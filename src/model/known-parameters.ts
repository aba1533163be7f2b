/** Parameters as programs and systems are given them: one that was not declared is a mistake, and not `undefined`, of which all kinds of things hold. */
import { suggestion } from '../core/did-you-mean.ts'
import { ownView } from '../core/plain-value.ts'
import { mistake } from '../core/running.ts'
import type { Params } from '../core/setting.ts'

/** `of` says whose they are: 'program "bank"'. */
export function knowingParameters(of: string, params: Params): Params {
  return ownView(
    new Proxy(params, {
      get: (known, name) => {
        if (name in known || isAskedOfObjects(name)) return Reflect.get(known, name)
        return mistake({
          code: 'E107',
          message: `${of} has no parameter "${name}"`,
          hint: suggestion(name, Object.keys(known), 'parameters'),
        })
      },
    }),
  )
}

/** By the language and by printers, of any object. */
function isAskedOfObjects(name: string | symbol): name is symbol {
  return typeof name === 'symbol' || name === 'then' || name === 'toJSON'
}
