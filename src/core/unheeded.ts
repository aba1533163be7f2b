/** Promises that came where none may: nobody will look at them again, and their rejection must not end the host. */

// Not by its own method, which processes may not call.
const { then } = Promise.prototype

export function unheeded(promise: Promise<unknown>): void {
  Reflect.apply(then, promise, [undefined, () => undefined])
}
