/** Promises of the host, told from those of async processes: the name `Promise` may stand for the latter while one runs. */
export const nativePromise = Promise

export function isNativePromise(value: unknown): value is Promise<unknown> {
  return value instanceof nativePromise
}
