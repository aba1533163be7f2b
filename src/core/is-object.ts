/** Whatever has properties and an identity, in ECMAScript's sense: functions as well. */
export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
