/** A genuine file with payloads in the place of its texts. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A text of the file: one that stands in one place, or the same wherever it stands. */
export interface Text {
  readonly name: string
  /** Puts a payload in its place. */
  readonly plant: (content: Json, payload: string) => Json
  /** What it is in the genuine file. */
  readonly said: string
  readonly isEverywhere: boolean
}

/** Texts by where they stand: places in lists that are alike count as one, by their first and their last. */
export function fieldsOf(content: Json): readonly Text[] {
  const alike = new Map<string, (readonly string[])[]>()
  for (const path of pathsOf(content, [])) {
    const key = path.map((step) => (/^\d+$/.test(step) ? '*' : step)).join('.')
    const known = alike.get(key) ?? []
    alike.set(key, known.length === 0 ? [path] : [known[0] as readonly string[], path])
  }
  return [...alike.values()].flat().map((path) => ({
    name: path.join('.'),
    said: textAt(content, path),
    isEverywhere: isAlone(content, textAt(content, path)),
    plant: (whole, payload) => replacedAt(whole, path, payload),
  }))
}

/** Texts in several places, such as the name of a process, wherever they stand, also as keys: the file still fits together. */
export function namesOf(content: Json): readonly Text[] {
  const texts = new Set(pathsOf(content, []).map((path) => textAt(content, path)))
  const several = [...texts].filter((said) => !isAlone(content, said))
  return several.map((said) => ({
    name: `every ${JSON.stringify(said.slice(0, 40))}`,
    said,
    isEverywhere: true,
    plant: (whole, payload) => renamed(whole, said, payload),
  }))
}

/** Keys by where they stand, alike ones once; the deepest first, so that all can be renamed at once. */
export function keysOf(content: Json): readonly Text[] {
  const alike = new Map<string, readonly string[]>()
  for (const path of keyPathsOf(content, [])) {
    const name = path.map((step) => (/^\d+$/.test(step) ? '*' : step)).join('.')
    if (!alike.has(name)) alike.set(name, path)
  }
  const paths = [...alike.values()].sort((left, right) => right.length - left.length)
  return paths.map((path) => ({
    name: `key ${path.join('.')}`,
    said: path.at(-1) as string,
    isEverywhere: false,
    plant: (whole, payload) => rekeyedAt(whole, path, payload),
  }))
}

function keyPathsOf(content: Json, path: readonly string[]): readonly (readonly string[])[] {
  if (typeof content !== 'object' || content === null) return []
  return Object.entries(content).flatMap(([key, value]) => [
    ...(Array.isArray(content) ? [] : [[...path, key]]),
    ...keyPathsOf(value, [...path, key]),
  ])
}

function rekeyedAt(content: Json, [step, ...rest]: readonly string[], payload: string): Json {
  if (Array.isArray(content))
    return content.map((one, at) => (String(at) === step ? rekeyedAt(one, rest, payload) : one))
  if (typeof content !== 'object' || content === null) return content
  return mapped(content as Entries, (key, value) => {
    if (key !== step) return [key, value]
    return rest.length === 0 ? [payload, value] : [key, rekeyedAt(value, rest, payload)]
  })
}

function isAlone(content: Json, said: string): boolean {
  return JSON.stringify(content).split(JSON.stringify(said)).length === 2
}

function pathsOf(content: Json, path: readonly string[]): readonly (readonly string[])[] {
  if (typeof content === 'string') return [path]
  if (typeof content !== 'object' || content === null) return []
  return Object.entries(content).flatMap(([key, value]) => pathsOf(value, [...path, key]))
}

function textAt(content: Json, path: readonly string[]): string {
  return path.reduce<Json>((at, step) => (at as { readonly [key: string]: Json })[step] as Json, content) as string
}

function replacedAt(content: Json, [step, ...rest]: readonly string[], payload: string): Json {
  if (step === undefined) return payload
  if (Array.isArray(content))
    return content.map((one, at) => (String(at) === step ? replacedAt(one, rest, payload) : one))
  return mapped(content as Entries, (key, value) => [key, key === step ? replacedAt(value, rest, payload) : value])
}

function renamed(content: Json, text: string, payload: string): Json {
  if (content === text) return payload
  if (Array.isArray(content)) return content.map((one) => renamed(one, text, payload))
  if (typeof content !== 'object' || content === null) return content
  return mapped(content as Entries, (key, value) => [key === text ? payload : key, renamed(value, text, payload)])
}

type Entries = { readonly [key: string]: Json }

function mapped(content: Entries, change: (key: string, value: Json) => readonly [string, Json]): Json {
  return Object.fromEntries(Object.entries(content).map(([key, value]) => change(key, value)))
}
