/** Statements as people write them: aliases, changes in place, patterns, callbacks, loops with jumps; each one ends. */
import { asked, type Draft, flag, fresh, number, object, some, type Type, text } from './expressions.ts'

/** Text, or a block whose statements can be dropped one by one. */
export type Statement = string | Block

export interface Block {
  readonly open: string
  readonly body: readonly Statement[]
  readonly otherwise?: readonly Statement[] | undefined
  readonly close: string
}

export function statementText(statement: Statement, indent: string): string {
  // Without a semicolon it would go on with the line before it, often as a call of what stands there.
  if (typeof statement === 'string') return `${indent}${/^[([`]/.test(statement) ? ';' : ''}${statement}`
  const { open, body, otherwise, close } = statement
  const inner = (list: readonly Statement[]): string[] => list.map((one) => statementText(one, `${indent}  `))
  const rest = otherwise === undefined ? [] : [`${indent}} else {`, ...inner(otherwise)]
  return [`${indent}${open}`, ...inner(body), ...rest, `${indent}${close}`].join('\n')
}

/** Every list of statements with one statement less. */
export function shorter(list: readonly Statement[]): readonly (readonly Statement[])[] {
  return list.flatMap((one, at) => {
    const replacedBy = (...others: readonly Statement[]) => [...list.slice(0, at), ...others, ...list.slice(at + 1)]
    if (typeof one === 'string') return [replacedBy()]
    const { otherwise, body } = one
    return [
      replacedBy(),
      ...(otherwise === undefined ? [] : [replacedBy({ ...one, otherwise: undefined })]),
      ...shorter(body).map((smaller) => replacedBy({ ...one, body: smaller })),
      ...shorter(otherwise ?? []).map((smaller) => replacedBy({ ...one, otherwise: smaller })),
    ]
  })
}

export function statements(draft: Draft, count: number, depth = 2): Statement[] {
  const found: Statement[] = []
  for (let made = 0; made < count; made++) found.push(...statement(draft, depth))
  return found
}

type Rule = (draft: Draft, depth: number) => Statement[] | undefined

function statement(draft: Draft, depth: number): Statement[] {
  const rules = depth > 0 && draft.random.below(6) === 0 ? blocks : flat
  for (let tries = 0; tries < 10; tries++) {
    const found = draft.random.pick(rules)(draft, depth - 1)
    if (found !== undefined) return found
  }
  return [`console.log(${number(draft)})`]
}

function declare(draft: Draft, type: Type, letter: string, isConstant: boolean): string {
  const name = fresh(draft, letter)
  draft.scope.push({ name, type, isConstant })
  return name
}

/** The value is drawn before the name is in scope. */
function declared(draft: Draft, type: Type, letter: string, value: string | undefined): Statement[] | undefined {
  if (value === undefined) return undefined
  const keyword = draft.random.pick(['const', 'let', 'let', 'var'])
  return [`${keyword} ${declare(draft, type, letter, keyword === 'const')} = ${value}`]
}

const declarations: readonly Rule[] = [
  (draft) => declared(draft, 'number', 'v', number(draft)),
  (draft) => declared(draft, 'flag', 'b', flag(draft)),
  (draft) => declared(draft, 'text', 's', text(draft)),
  (draft) => declared(draft, 'object', 'o', object(draft)),
  (draft) => declared(draft, 'object', 'o', some(draft, 'object')),
  (draft) => declared(draft, 'object', 'o', spread(some(draft, 'object'), number(draft, 1))),
  (draft) => declared(draft, 'object', 'o', call('identity', some(draft, 'object'))),
  (draft) => declared(draft, 'object', 'o', either(draft, some(draft, 'object'), some(draft, 'object'))),
  (draft) => declared(draft, 'list', 'l', `[${number(draft, 1)}, ${number(draft, 1)}]`),
  (draft) => declared(draft, 'list', 'l', some(draft, 'list')),
  (draft) => declared(draft, 'list', 'l', copied(draft, some(draft, 'list'))),
  (draft) => declared(draft, 'objects', 'os', `[${some(draft, 'object') ?? object(draft)}, ${object(draft)}]`),
  (draft) => declared(draft, 'objects', 'os', listed(some(draft, 'objects'))),
  (draft) => declared(draft, 'map', 'm', `new Map([['a', ${number(draft, 1)}]])`),
  (draft) => declared(draft, 'map', 'm', some(draft, 'map')),
  (draft) => declared(draft, 'optional', 'f', draft.random.pick(['undefined', 'null', '(a) => a', '0'])),
  (draft) => declared(draft, 'number', 'v', reduced(some(draft, 'list'))),
  (draft) => declared(draft, 'number', 'v', asked(draft)),
  (draft) => destructured(draft),
  (draft) => (draft.isPlain ? undefined : declared(draft, 'number', 'v', 'yield* choose([1, 2])')),
]

function spread(name: string | undefined, value: string): string | undefined {
  return name === undefined ? undefined : `{ ...${name}, x: ${value} }`
}

function call(helper: string, name: string | undefined): string | undefined {
  return name === undefined ? undefined : `${helper}(${name})`
}

function either(draft: Draft, left: string | undefined, right: string | undefined): string | undefined {
  return left === undefined || right === undefined ? undefined : `${flag(draft)} ? ${left} : ${right}`
}

function copied({ random }: Draft, name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  return random.pick([
    `[...${name}]`,
    `${name}.map((a) => a + 1)`,
    `${name}.sort()`,
    `${name}.slice(1)`,
    `${name}.reverse()`,
  ])
}

function listed(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `[...${name}]`
}

function reduced(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `${name}.reduce((sum, each) => sum + each, 0)`
}

function destructured(draft: Draft): Statement[] | undefined {
  const [from, list] = [some(draft, 'object'), some(draft, 'list')]
  const fallback = number(draft, 1)
  const v = fresh(draft, 'v')
  const shapes = [
    ...(from === undefined
      ? []
      : [`const { x: ${v} = ${fallback} } = ${from}`, `const { z: ${v} = ${fallback} } = ${from}`]),
    ...(from === undefined ? [] : [`const { inner: { y: ${v} } } = ${from}`]),
    ...(list === undefined ? [] : [`const [${v} = ${fallback}] = ${list}`, `const [, ${v} = ${fallback}] = ${list}`]),
  ]
  if (shapes.length === 0) return undefined
  draft.scope.push({ name: v, type: 'number', isConstant: true })
  return [draft.random.pick(shapes)]
}

const changes: readonly Rule[] = [
  (draft) => changed(some(draft, 'number', true), draft, [' = ', ' += ', ' -= ', ' ??= ', ' ||= ', ' &&= ']),
  (draft) =>
    changed(some(draft, 'object'), draft, ['.x = ', '.x += ', '.inner.y = ', '.x ??= ', '.x ||= ', `['x'] = `]),
  (draft) => changed(some(draft, 'objects'), draft, ['[0].x = ', '[1].inner.y = ', '[0].inner = ']),
  (draft) => changed(some(draft, 'list'), draft, ['[0] = ', '[1] += ', '.length = ']),
  (draft) =>
    after(some(draft, 'list'), draft.random.pick([`.push(${number(draft, 1)})`, '.pop()', '.sort()', '.reverse()'])),
  (draft) =>
    after(some(draft, 'map'), draft.random.pick([`.set('a', ${number(draft, 1)})`, `.delete('a')`, '.clear()'])),
  (draft) => after(some(draft, 'number', true), draft.random.pick(['++', '--'])),
  (draft) => patterned(draft),
  (draft) => withObject(draft, (name) => `Object.assign(${name}, { x: ${number(draft, 1)} })`),
  (draft) => withObject(draft, (name) => `Reflect.set(${name}, 'x', ${number(draft, 1)})`),
  (draft) => withObject(draft, (name) => `setX(${name}, ${number(draft, 1)})`),
  (draft) => withObject(draft, (name) => `;[${name}.x] = [${number(draft, 1)}]`),
  (draft) => withObject(draft, (name) => (draft.isPlain ? undefined : `yield* raise(${name})`)),
  (draft) => innerChanged(draft),
  (draft) => callbacks(draft),
  (draft) => printed(draft),
  (draft) => noted(draft),
  (draft) => conditionally(draft),
  (draft) => conditionally(draft),
  (draft) => conditionally(draft),
]

function changed(name: string | undefined, draft: Draft, ways: readonly string[]): Statement[] | undefined {
  if (name === undefined) return undefined
  const way = draft.random.pick(ways)
  const value = way.endsWith('.inner = ') ? `{ y: ${number(draft, 1)} }` : number(draft)
  return [`${name}${way}${way === '.length = ' ? '1' : value}`]
}

function after(name: string | undefined, rest: string): Statement[] | undefined {
  return name === undefined ? undefined : [`${name}${rest}`]
}

function withObject(draft: Draft, write: (name: string) => string | undefined): Statement[] | undefined {
  const name = some(draft, 'object')
  const written = name === undefined ? undefined : write(name)
  return written === undefined ? undefined : [written]
}

function patterned(draft: Draft): Statement[] | undefined {
  const [left, right] = [some(draft, 'number', true), some(draft, 'number', true)]
  if (left === undefined || right === undefined) return undefined
  const value = number(draft)
  const ways = [`;[${left}] = [${value}]`, `;({ a: ${left} } = { a: ${value} })`, `;[${left} = ${value}] = []`]
  return [draft.random.pick(left === right ? ways : [...ways, `;[${left}, ${right}] = [${right}, ${left}]`])]
}

function innerChanged(draft: Draft): Statement[] | undefined {
  const name = some(draft, 'object')
  if (name === undefined) return undefined
  const inner = fresh(draft, 'q')
  const way = draft.random.pick([`const ${inner} = ${name}.inner`, `const { inner: ${inner} } = ${name}`])
  return [way, `${inner}.y = ${number(draft, 1)}`]
}

function callbacks(draft: Draft): Statement[] | undefined {
  const [objects, list, variable] = [some(draft, 'objects'), some(draft, 'list'), some(draft, 'number', true)]
  const isPlain = draft.isPlain
  draft.isPlain = true
  const value = number(draft, 1)
  draft.isPlain = isPlain
  const ways = [
    ...(objects === undefined ? [] : [`${objects}.forEach((each) => { each.x = ${value} })`]),
    ...(objects === undefined ? [] : [`${objects}.map((each) => (each.inner.y += 1))`]),
    ...(objects === undefined ? [] : [`for (const each of ${objects}) each.x = ${value}`]),
    ...(list === undefined || variable === undefined ? [] : [`${list}.forEach((each) => { ${variable} += each })`]),
    ...(list === undefined || variable === undefined
      ? []
      : [`for (${variable} of [...${list}]) console.log(${variable})`]),
    ...(variable === undefined ? [] : [`;(() => { ${variable} = ${value} })()`]),
  ]
  return ways.length === 0 ? undefined : [draft.random.pick(ways)]
}

/** An operation that is performed only if something before it says so, or only for what it does. */
function conditionally(draft: Draft): Statement[] | undefined {
  const operation = asked(draft)
  if (operation === undefined) return undefined
  const [guard, optional] = [flag(draft, 1), some(draft, 'optional') ?? some(draft, 'number') ?? 'null']
  const variable = some(draft, 'number', true)
  const name = fresh(draft, 'v')
  const kept = (value: string): string => {
    draft.scope.push({ name, type: 'number', isConstant: true })
    return `const ${name} = ${value}`
  }
  const ways: readonly (() => string)[] = [
    () => `${guard} ${draft.random.pick(['&&', '||'])} ${operation}`,
    () => `${guard} ? ${operation} : 0`,
    () => `${some(draft, 'optional') ?? 'undefined'}?.(${operation})`,
    () => `console.log(\`\${${guard} ? ${operation} : '-'}\`)`,
    () => `console.info(${operation})`,
    () => `yield* assert(true, \`because \${${operation}}\`)`,
    () => `if (${guard} && ${operation} > 1) console.log('yes')`,
    () => kept(`${optional} ?? ${operation}`),
    () => kept(`${optional} || ${operation}`),
    () => kept(`${guard} ? ${operation} : 0`),
    () => kept(`twice(${guard} ? 1 : ${operation})`),
    () => kept(`orOne(${operation})`),
    ...(variable === undefined ? [] : [() => `${variable} ${draft.random.pick(['??=', '||=', '&&='])} ${operation}`]),
  ]
  return [draft.random.pick(ways)()]
}

function printed(draft: Draft): Statement[] {
  const value = draft.random.pick([number, flag, text])(draft)
  const way = draft.random.pick(['log', 'info', 'debug', 'error'])
  if (draft.isPlain || draft.random.below(2) === 0) return [`console.${way}(${value})`]
  return [`yield* assert(true, \`checked \${${value}}\`)`]
}

/** Messages to itself, taken by a filter. */
function noted(draft: Draft): Statement[] | undefined {
  if (draft.isPlain) return undefined
  const [first, second] = [draft.random.pick(['a', 'b', 'ab', 'c']), draft.random.pick(['a', 'ab', 'd'])]
  const filter = draft.random.pick([
    `'${second}'`,
    `({ kind }) => 'ab'.includes(kind)`,
    `({ kind }) => kind == '${second}'`,
    `(note) => ['a', 'd'].includes(note.kind)`,
    `(note) => note.kind !== '${first}'`,
  ])
  const kind = fresh(draft, 's')
  const value = number(draft, 1)
  draft.scope.push({ name: kind, type: 'text', isConstant: true })
  return [
    [
      `yield* send(yield* self(), { kind: '${first}', value: ${value} })`,
      `yield* send(yield* self(), { kind: '${second}' })`,
      `const { kind: ${kind} } = yield* receive(${filter})`,
      'yield* receive()',
    ].join('; '),
  ]
}

const flat: readonly Rule[] = [...declarations, ...changes, ...changes]

/** What a block declares is not in scope after it; what it changes is. */
function inside(draft: Draft, count: number, depth: number): Statement[] {
  const before = draft.scope.length
  const body = statements(draft, count, depth)
  draft.scope.length = before
  return body
}

const blocks: readonly Rule[] = [
  (draft, depth) => [{ open: `if (${flag(draft)}) {`, body: inside(draft, 2, depth), close: '}' }],
  (draft, depth) => {
    const otherwise = inside(draft, 1, depth)
    return [{ open: `if (${flag(draft)}) {`, body: inside(draft, 1, depth), close: '}', otherwise }]
  },
  (draft, depth) => {
    const item = fresh(draft, 'e')
    const jump = draft.random.pick([`if (${item} === 2) continue`, `if (${item} === 2) break`, `console.log(${item})`])
    const open = `for (const ${item} of [1, 2, 3]) {`
    return [{ open, body: [jump, ...inside(draft, 1, depth)], close: '}' }]
  },
  (draft, depth) => {
    const at = fresh(draft, 'i')
    const body = inside(draft, 1, depth)
    return [{ open: `for (let ${at} = 0; ${at} < 2; ${at}++) {`, body, close: '}' }]
  },
  (draft, depth) => {
    const at = fresh(draft, 'i')
    const head = draft.random.pick([`${at} = 1; ${at} <= 2`, `${at} = 0; ${at} <= 2 - 1`, `${at} = 1; ${at} < 1 + 2`])
    const body = [...inside(draft, 1, depth), leaving(draft, at), ...inside(draft, 1, depth)]
    return [{ open: `for (let ${head}; ${at}++) {`, body, close: '}' }]
  },
  (draft, depth) => {
    const [label, body] = [fresh(draft, 'outer'), inside(draft, 1, depth)]
    const jump = draft.random.pick([`continue ${label}`, `break ${label}`, 'break'])
    const inner = { open: 'for (const b of [1, 2]) {', body: [`if (b === 2) ${jump}`, ...body], close: '}' }
    return [{ open: `${label}: for (const a of [1, 2]) {`, body: [inner], close: '}' }]
  },
  (draft, depth) => [{ open: 'while (true) {', body: [...inside(draft, 2, depth), 'break'], close: '}' }],
  (draft, depth) => [{ open: 'do {', body: inside(draft, 1, depth), close: '} while (false)' }],
  (draft, depth) => switched(draft, depth),
  (draft, depth) => {
    const thrown = draft.random.pick([`if (${flag(draft)}) throw new Error('no')`, `console.log('no')`])
    const body = [...inside(draft, 1, depth), thrown, ...inside(draft, 1, depth)]
    const close = draft.random.pick(['} catch { console.log(1) }', '} finally { console.log(1) }'])
    return close.startsWith('} finally') && thrown.startsWith('if') ? undefined : [{ open: 'try {', body, close }]
  },
]

/** Out of the loop around it, or on to the next round; sometimes where another branch goes on. */
function leaving(draft: Draft, at: string): Statement {
  const jump = draft.random.pick(['break', 'break', 'continue'])
  const [first, second] = [flag(draft, 1), draft.random.pick([flag(draft, 1), `${at} > 1`])]
  return draft.random.pick<Statement>([
    `if (${second}) ${jump}`,
    { open: `if (${first}) {`, body: [`if (${second}) ${jump}`], close: '}' },
    { open: `if (${first}) {`, body: [`if (${second}) ${jump}`], otherwise: [`if (${at} > 0) continue`], close: '}' },
  ])
}

function switched(draft: Draft, depth: number): Statement[] {
  const on = draft.random.pick([number(draft, 1), text(draft, 1)])
  const labels = draft.random.shuffle(['case 1:', "case 'a':", 'default:', 'case 2:']).slice(0, 3)
  const ends = ['break', 'break', '']
  const cases = labels.map((label): Statement => {
    const loop = { open: 'for (;;) {', body: [...inside(draft, 1, 0), 'break'], close: '}' }
    const body = draft.random.below(4) === 0 ? [loop] : inside(draft, 1, depth)
    return { open: `${label} {`, body, close: `} ${draft.random.pick(ends)}` }
  })
  return [{ open: `switch (${on}) {`, body: cases, close: '}' }]
}

/** Something to work with: few values, so that what follows is about the same ones. */
export function beginning(draft: Draft): Statement[] {
  const rules: readonly Rule[] = [
    (one) => declared(one, 'number', 'v', `${one.random.below(3)}`),
    (one) => declared(one, 'object', 'o', `{ x: ${one.random.below(3)}, inner: { y: 1 } }`),
    (one) => declared(one, 'list', 'l', `[${one.random.below(3)}, 2]`),
    (one) => declared(one, 'flag', 'b', one.random.pick(['true', 'false'])),
    (one) => declared(one, 'objects', 'os', '[{ x: 0, inner: { y: 1 } }, { x: 2, inner: { y: 3 } }]'),
    (one) => declared(one, 'text', 's', one.random.pick(["'a'", "'b'"])),
    (one) => declared(one, 'map', 'm', "new Map([['a', 1]])"),
    (one) => declared(one, 'optional', 'f', one.random.pick(['undefined', 'null', '3'])),
  ]
  return [...rules.slice(0, 2), draft.random.pick(rules)].flatMap((rule) => rule(draft, 0) ?? [])
}

/** What the program is asked about at its end: a variable, or a part of one. */
export function probed(draft: Draft): string {
  const parts: { readonly [type in Type]: readonly string[] } = {
    number: [''],
    text: [''],
    flag: [''],
    object: ['.x', '.x', '.inner.y'],
    list: ['[0]', '.length', '[1]'],
    objects: ['[0].x', '[1].inner.y', '[0].inner.y'],
    map: [".get('a')", '.size'],
    optional: ['?.x'],
  }
  // What was there from the beginning is what most statements are about.
  const { name, type } = draft.random.pick(draft.random.below(2) === 0 ? draft.scope : draft.scope.slice(0, 3))
  return `${name}${draft.random.pick(parts[type])}`
}
