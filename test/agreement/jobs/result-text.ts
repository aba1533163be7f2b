/**
 * Results and errors of plain Node in the notation in which `semantics/memory/result-text.ts` writes those of controlled classes, written
 * from its description, for what generated classes return and throw: plain data and errors.
 */
export function resultText(value: unknown): string {
  if (value === undefined) return 'u'
  if (value === null) return '0'
  if (typeof value === 'number') return `n${value}`
  if (Array.isArray(value)) return `[${value.map(resultText).join()}]`
  return value instanceof Error ? errorText(value) : JSON.stringify(value)
}

export function thrownText(error: unknown): string {
  return `!${resultText(error)}`
}

/** Of which classes it is, what it says, and its fields in the order of their texts; where it was thrown does not count. */
function errorText(error: Error): string {
  const classes: string[] = []
  for (let above = Object.getPrototypeOf(error); above !== Object.prototype; above = Object.getPrototypeOf(above)) {
    classes.push(JSON.stringify(above.constructor.name))
  }
  const fields = Object.getOwnPropertyNames(error)
    .filter((name) => name !== 'stack')
    .map((name) => {
      const { enumerable, value } = Object.getOwnPropertyDescriptor(error, name) as PropertyDescriptor
      return `${enumerable === true ? '' : '-'}${JSON.stringify(name)}:${resultText(value)}`
    })
    .sort()
  return `$${classes.join('<')}E${resultText(error.name)},${resultText(error.message)}{${fields.join()}}`
}
