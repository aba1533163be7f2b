import { describe, expect, test } from 'vitest'
import { rewritten } from './miniature-runtime.ts'

/** Each operation of the code with the list of values that are live behind it, as in `get(next): this, x`. */
function live(source: string): readonly string[] {
  const operations = rewritten(source).matchAll(/\$\.(\w+)\(\$b\+\d+, \[([^\]]*)\], (?:(?:this|\w+), "([$\w]+)")?/g)
  return [...operations].map(([, name, list, key]) => `${name}${key === undefined ? '' : `(${key})`}: ${list}`)
}

/** With sites left out, whose numbers depend on everything in front. */
function withoutSites(source: string): string {
  return rewritten(source).replaceAll(/\$b\+\d+/g, 'site')
}

/** Of a method's body. */
function liveIn(body: string, parameters = 'x: any, y: any'): readonly string[] {
  return live(`class C { a: any; b: any; c: any; m(${parameters}) { ${body} } }`)
}

describe('pending operands', () => {
  test('the value of the left operand is live while the right one is read', () => {
    expect(liveIn('return this.a + this.b')).toEqual(['get(a): this', 'get(b): $1'])
  })

  test('a variable is listed by its own name until it has been used', () => {
    expect(liveIn('return x + this.a + y + this.b')).toEqual(['get(a): this, x, y', 'get(b): $2'])
  })

  test('a variable that is assigned meanwhile is held apart', () => {
    expect(liveIn('return x + ((x = 1), this.a) + x')).toEqual(['get(a): x, $1'])
  })

  test('constants are not listed', () => {
    expect(liveIn('return 1 + this.a + Math.PI + this.b')).toEqual(['get(a): this', 'get(b): $2'])
  })

  test('arguments wait for later arguments', () => {
    expect(liveIn('this.f(x, this.a, x * 2, this.b)')).toEqual([
      'invoke(f): ',
      'get(a): this, x',
      'get(b): this, x, $1, $2',
    ])
  })

  test('the object of a write waits for the value, and nothing is live behind the write', () => {
    expect(liveIn('x.k = this.a')).toEqual(['set(k): ', 'get(a): x'])
  })

  test('an operand that assigns is evaluated before the list of live values', () => {
    expect(withoutSites('class C { m(i: number, a: any) { return a[i++] + i } }')).toContain(
      '($1 = i++), (($2 = $.get(site, [i], a, $1))',
    )
  })

  test('the value of an assignment is kept by the frame, as a setter may suspend', () => {
    expect(liveIn('return (this.a = x + 1)')).toEqual(['set(a): $1'])
    expect(liveIn('this.a = x + 1')).toEqual(['set(a): '])
  })

  test('the old value of a postfix operator waits for the write only if it is used', () => {
    expect(liveIn('return this.a++')).toEqual(['get(a): this', 'set(a): $2'])
    expect(liveIn('this.a++')).toEqual(['get(a): this', 'set(a): '])
  })

  test('only the branch that is taken needs its variables', () => {
    expect(liveIn('return this.a ? x + this.b : y + this.c')).toEqual(['get(a): this, x, y', 'get(b): x', 'get(c): y'])
  })
})

describe('loops', () => {
  test('a retry loop keeps nothing of the former round', () => {
    expect(
      liveIn('for (;;) { const old = this.a; const next = old + x; if (this.cas(old, next)) return old }', 'x: number'),
    ).toEqual(['get(a): this, x', 'invoke(cas): this, x, old'])
  })

  test('variables outside a retry loop that are assigned before they are read are dead at its end', () => {
    expect(
      liveIn('let old; let next; do { old = this.a; next = this.b } while (!this.cas(old, next)); return old', ''),
    ).toEqual(['get(a): this', 'get(b): this, old', 'invoke(cas): this, old'])
  })

  test('a walk along a list needs the last two elements', () => {
    const source = `class L { head: any
      find(x: number) { let p = this.head; let c = p.next; while (c.key < x) { p = c; c = p.next } return [p, c] } }`
    expect(live(source)).toEqual(['get(head): x', 'get(next): x, p', 'get(key): x, p, c', 'get(next): x, p'])
  })

  test('a walk that only returns the last element needs only that', () => {
    const source = 'class L { find(c: any, x: number) { let p; while (c.key < x) { p = c; c = p.next } return c } }'
    expect(live(source)).toEqual(['get(key): c, x', 'get(next): x'])
  })

  test('an iterator is live until the loop ends', () => {
    expect(liveIn('let s = 0; for (const e of this.a) s += e.k; return s', '')).toEqual([
      'iterate: s',
      'get(a): s',
      'next: s, $i1',
      'get(k): s, $i1',
      // How the body was left, which only matters there.
      'close: $c2, $v3',
    ])
  })

  test('an endless loop has no end at which something could be live', () => {
    expect(liveIn('while (true) { if (this.a) return x; this.b = y }')).toEqual([
      'get(a): this, x, y',
      'set(b): this, x, y',
    ])
  })

  test('break and continue lead to what is live there', () => {
    expect(
      liveIn('o: for (;;) { for (;;) { if (this.a) break o; if (this.b) continue o; y = 1; return y } } return x'),
    ).toEqual(['get(a): this, x', 'get(b): this, x'])
  })
})

describe('try statements', () => {
  test('what the handler needs is live in the whole block', () => {
    expect(liveIn('try { this.a = 1; x = 5; this.b = 2 } catch { return x } return y')).toEqual([
      'set(a): this, x, y',
      'set(b): x, y',
    ])
  })

  test('a finally block that suspends knows how it was entered', () => {
    expect(liveIn('try { return x } finally { this.a = 1 }')).toEqual(['set(a): $c1, $v2'])
  })

  test('a finally block that does not suspend needs no variables', () => {
    expect(withoutSites('class C { m(x: any) { try { return x.k } finally { x = 1 } } }')).not.toContain('$c')
  })

  test('the exception is live in the handler', () => {
    expect(liveIn('try { this.f() } catch (e) { this.a = 1; throw e }', '')).toEqual(['invoke(f): this', 'set(a): e'])
  })
})

describe('frames and closures', () => {
  test('this is live as long as it is used', () => {
    expect(liveIn('this.a = 1; this.b = 2; x.k = 3')).toEqual(['set(a): this, x', 'set(b): x', 'set(k): '])
  })

  test('inside a closure, what it uses of the function around it is live', () => {
    const code = withoutSites('class C { a: any; m(x: number) { return () => { this.a = 1; return this.a + x } } }')
    expect(code).toContain('const $this = this;')
    expect(code).toContain('$.set(site, [$this, x], $this, "a", 1)')
    expect(code).toContain('}, [this, x], 32)')
  })

  test('a variable that a closure changes is held in a box, which is live instead of it', () => {
    const code = withoutSites('class C { a: any; m() { let n = 0; const f = () => n++; this.a = 1; f(); return n } }')
    expect(code).toContain("let $_n = $.cell(site, 0, 'n')")
    expect(code).toContain('$.set(site, [$_n, f], this, "a", 1)')
    expect(code).toContain('[$_n], 32, "f")')
    expect(code).toContain('$.get(site, [], $_n, "v")')
  })

  test('a variable that no closure changes is captured by value', () => {
    expect(withoutSites('class C { m() { let n = 0; n = 1; const k = n; return () => k } }')).toContain('[k], 32)')
  })

  test('an outer variable is live under its own name where an inner one hides it', () => {
    expect(liveIn('{ let x = this.a; this.b = x } return x', 'x: any')).toEqual(['get(a): this, x', 'set(b): x'])
    expect(withoutSites('class C { m(x: any) { { let x = this.a } return x } }')).toContain(
      'let $r1_x = (($1 = $.get(site, [x], this',
    )
  })

  test('a function that uses a later variable shares a box with it', () => {
    const code = withoutSites(
      'class C { m() { const even = (n: number): any => n === 0 || odd(n - 1); const odd = (n: number): any => n > 0 && even(n - 1); return even } }',
    )
    expect(code).toContain("const $_odd = $.cell(site, undefined, 'odd')")
    expect(code).toContain('[$_odd], 32, "even")')
    expect(code).toContain('[even], 32, "odd")')
  })
})
