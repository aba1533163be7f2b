/** Methods of what users hold: what is passed beside their parameters would not be heard, and is refused. */
import { checkNoMore } from './option-shape.ts'

/**
 * Has methods of a class, its own or inherited, refuse further arguments; each is given with its parameters as they are written in
 * messages: `{ store: 'value' }`. JavaScript counts only those without defaults.
 */
export function takingOnly(
  type: { readonly prototype: object },
  of: string,
  methods: { readonly [name: string]: string },
): void {
  const { prototype } = type
  for (const [name, parameters] of Object.entries(methods)) {
    const method = Reflect.get(prototype, name) as (...args: readonly unknown[]) => unknown
    const most = parameters === '' ? 0 : parameters.split(', ').length
    const call = `${of}.${name}(${parameters})`
    const value = function (this: unknown, ...args: readonly unknown[]): unknown {
      if (args.length > most) checkNoMore(args.slice(most), call)
      return Reflect.apply(method, this, args)
    }
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true })
  }
}
