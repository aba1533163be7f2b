/** Which of the sorts of values one is; numbers, texts and the like by their type. */
export function sortOf(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  if (value instanceof Map) return 'map'
  if (value instanceof Set) return 'set'
  return value === null ? 'null' : typeof value
}
