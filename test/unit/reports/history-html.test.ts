import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { historiesPage, historyPage } from '../../../src/reports/history-html.ts'
import { called, queueHistory, twicePopped } from './histories.ts'

const title = '{ push(1); pop() } || { push(2); pop() } || { pop() }'
const source = ['pop() {', '  const x = this.items[this.top]', '  this.items[--this.top] = null', '  return x', '}']
const section = { file: 'stack.ts', function: 'Stack.pop', lines: { first: 2, last: 3 } }
const rootCauses = [
  {
    repairs: [
      { sections: [section], disables: 0 },
      { sections: [{ ...section, lines: { first: 1, last: 4 } }], disables: 12 },
    ],
  },
]

/** Names of the elements that are open when the text ends, and of those closed though they were not. */
function unbalanced(html: string): readonly string[] {
  const open: string[] = []
  const wrong: string[] = []
  for (const [, slash, name, rest] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b((?:"[^"]*"|[^">])*)>/g)) {
    if (slash === '/') {
      if (open.pop() !== name) wrong.push(`/${name}`)
    } else if (!rest?.endsWith('/') && name !== 'meta') open.push(name as string)
  }
  return [...open, ...wrong]
}

describe('the page of a history', () => {
  test('has lanes, the order, root causes and a table, as in the golden file', async () => {
    const page = historyPage(twicePopped, { title, rootCauses, sources: () => source })
    expect(unbalanced(page)).toEqual([])
    await expect(page).toMatchFileSnapshot('./golden/history-page.html')
  })

  test('needs nothing but itself and allows nothing else', () => {
    const page = historyPage(twicePopped, { title, rootCauses, sources: () => source })
    expect(page).not.toMatch(/<script|<link|<img|@import|url\(|https?:|src=|\son[a-z]+=/)
    expect([...page.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)).toEqual(['#stuck'])
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
    expect(page).toContain('@media (prefers-color-scheme: dark)')
  })

  test('holds several histories, each with links of its own', () => {
    const page = historiesPage([
      { picture: twicePopped, options: { title: 'first <one>' } },
      { picture: twicePopped, options: { title: 'second' } },
    ])
    expect(unbalanced(page)).toEqual([])
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id as string)
    expect(ids).toEqual(['history-1', 'stuck', 'history-2', 'stuck-2'])
    const targets = [...page.matchAll(/href="#([^"]*)"/g)].map(([, target]) => target as string)
    expect(new Set(targets)).toEqual(new Set(ids))
    expect(page.match(/<h1>/g)).toHaveLength(2)
    expect(page).toContain('<title>2 histories</title>')
  })

  test('crosses the calls of a deadlock', () => {
    const calls = [called('p1', ['eat'], { at: 0 }), called('p2', ['eat'], { at: 1 })]
    const page = historyPage({ history: { calls }, waiting: [0, 1], words: 'both wait' }, { title })
    expect(page.match(/<g class="mark stuck">/g)).toHaveLength(2)
    expect(page).toContain('</span> waits for ever')
    expect(page).not.toContain('<polyline')
  })

  test('tells all about a call when the pointer rests on it', () => {
    const place = { file: 'run.history.jsonl', line: 7, column: 1 }
    const calls = [
      called('p1', ['put', 'k', 1], { at: 3, until: 8 }, { kind: 'threw', error: 'Error: full' }),
      { ...called('p2', ['get', 'k'], { at: 5 }), place },
    ]
    const page = historyPage({ history: { calls }, order: [0], words: 'fine' }, { title })
    expect(page).toContain(
      '<title>p1: put(&quot;k&quot;, 1)\nthrew Error: full\ncalled at 3, returned at 8\nnumber 1 in the order</title>',
    )
    expect(page).toContain('<title>p2: get(&quot;k&quot;)\nnever returned\ncalled at 5\nrun.history.jsonl:7</title>')
    expect(page).not.toContain('stuck"')
  })

  test('draws the order as one line from left to right', () => {
    const [, points] = /<polyline class="order" points="([^"]*)"/.exec(historyPage(twicePopped, { title })) ?? []
    const columns = (points as string).split(' ').map((point) => Number(point.split(',')[0]))
    // Three numbers and the cross.
    expect(columns).toHaveLength(4)
    expect(columns.toSorted((left, right) => left - right)).toEqual(columns)
  })

  test('of a long history shows what surrounds the call that cannot come next, and says what it leaves out', () => {
    const picture = { history: queueHistory(3000), stuck: 2000, words: 'why' }
    const page = historyPage(picture, { title })
    expect(page).toContain('<p class="note">1,248 earlier calls and 750 later calls left out.</p>')
    // A thousand around it, and two that are open when the first of them begins.
    expect(page.match(/<g class="call/g)).toHaveLength(1002)
    expect(page.match(/id="stuck"/g)).toHaveLength(1)
  })

  test('of an empty history is a page', () => {
    expect(unbalanced(historyPage({ history: { calls: [] }, words: 'nothing was called' }, { title }))).toEqual([])
  })

  test('is not changed in its structure by what users wrote', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('</title><script>alert(1)</script>', '"><b>', '&lt;', '<!--', "' onload='x"),
    )
    const elements = (html: string) => [...html.matchAll(/<\/?[a-z!][a-z0-9]*/g)].map(([tag]) => tag).join(' ')
    const page = (user: string) =>
      historyPage(
        {
          history: {
            calls: [
              called(user, [user, user], { at: 0, until: 1 }, { value: user }),
              called(`${user}2`, [user], { at: 2 }),
            ],
          },
          order: [0],
          stuck: 1,
          words: user,
        },
        {
          title: user,
          rootCauses: [{ repairs: [{ sections: [{ ...section, file: user, function: user }], disables: 1 }] }],
          sources: () => [user, user, user, user].map((line) => line.replaceAll(/[\n\r]/g, '')),
        },
      )
    const expected = elements(page('x'))
    fc.assert(
      fc.property(text, (user) => elements(page(user)) === expected),
      { numRuns: 100, seed: 9 },
    )
  })
})
