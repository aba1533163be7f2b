/** The text of a function. While a check runs, programs are refused to ask for it, and here it is asked for ourselves. */
const text = Function.prototype.toString

export function functionText(callable: unknown): string {
  return Reflect.apply(text, callable, []) as string
}
