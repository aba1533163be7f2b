import { describe, expect, test } from 'vitest'
import { loadText, requestOf } from '../../../agreement/object-agreement.ts'
import { compare, forgetting, full, reduced } from '../../../agreement/object-compare.ts'
import { clientOf, search } from '../../../agreement/object-search.ts'

/** JavaScript that runs both ways: in Node as it stands, and under check. Every method says all it met as one text. */
const methods = {
  growing: 'this.list.forEach((each) => { this.list.push(each) }); return this.list.join()',
  mapping: 'return this.list.map((each) => { this.list.push(each); return each }).join()',
  filtering: 'return this.list.filter((each) => { this.list.push(each); return true }).join()',
  summing: 'return this.list.reduce((sum, each) => { this.list.push(each); return sum + each }, 0)',
  shrinking: 'let n = 0; this.list.forEach(() => { this.list.pop(); n++ }); return n',
  searching: 'let n = 0; this.list.find(() => { this.list.pop(); n++; return false }); return n',
  counting: 'let n = 0; this.list.every(() => { n++; this.list.length = 0; return true }); return n',
  holes: 'delete this.list[1]; return JSON.stringify([this.list.map((x) => x), 1 in this.list.map((x) => x)])',
  holesFiltered: 'delete this.list[0]; return this.list.filter(() => true).length',
  holesFound: 'delete this.list[0]; return this.list.findIndex((each) => each === undefined)',
  holesSummed: 'delete this.list[0]; return this.list.reduce((sum, each) => sum + each)',
  nothing:
    'this.list.length = 0; try { return this.list.reduce((sum, each) => sum + each) } catch (e) { return String(e) }',
  self: 'const met = []; this.list.forEach(function () { met.push(this.id) }, { id: 7 }); return met.join()',
  selfMapped: 'return this.list.map(function (each) { return each + this.id }, { id: 7 }).join()',
}

const body = Object.entries(methods).map(([name, text]) => `  ${name}() { ${text} }`)
const loaded = await loadText(`export class Loops {
  list: any = [1, 2, 3]
${body.join('\n').replaceAll('met = []', 'met: any = []').replaceAll('function (', 'function (this: any, ').replaceAll('any, )', 'any)')}
  push() { this.list.push(9); return 0 }
  cut() { this.list.length = 1; return 0 }
  visit() { let met = ''; this.list.forEach((each: any) => { met += each }); return met }
}`)

const Native = new Function(`return class { list = [1, 2, 3]\n${body.join('\n')} }`)() as new () => {
  readonly [name: string]: () => unknown
}

describe('array methods that call back do under check what they do in Node', () => {
  test.each(Object.keys(methods))('%s', (name) => {
    const request = requestOf(loaded, 'Loops', `{ ${name}() }`)
    const result = new Native()[name]?.()
    const text = typeof result === 'number' ? `n${result}` : JSON.stringify(result)
    expect(search(request, clientOf(`{ ${name}() }`), full)).toMatchObject({ endings: { outcomes: [text] } })
  })
})

describe('what others do meanwhile is met only where the length was read after it', () => {
  // The length is read once: 9 is met if it was there before, and never by a loop that has begun.
  test.each([
    ['{ visit() } || { push() }', ['"123"', '"1239"']],
    ['{ visit() } || { cut() }', ['"1"', '"12"', '"123"']],
  ])('%s', (client, visited) => {
    const request = { ...requestOf(loaded, 'Loops', client), criterion: 'outcomes' as const }
    const variants = [...reduced, ...forgetting]
    const compared = compare({ request, client: clientOf(client), variants, seed: 1, mostTransitions: 5_000 })
    const outcomes = visited.map((each) => `${each} || n0`)
    expect(compared).toMatchObject({ kind: 'agree', truth: { outcomes } })
  })
})
