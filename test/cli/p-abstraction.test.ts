/** Types of P that a check file abstracts: verdicts, traces, and what is refused. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { long } from '../amount.ts'
import { allways } from './harness.ts'
import { expectMistake } from './mistake.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-p-abstraction-'))
afterAll(() => rmSync(folder, { recursive: true }))

let made = 0
/** A check file and the P program beside it. */
function written(p: string, options: string): string {
  const name = `m${++made}`
  writeFileSync(join(folder, `${name}.p`), p)
  const file = join(folder, `${name}.check.ts`)
  writeFileSync(file, `import { pModel } from 'allways'\nexport default pModel('./${name}.p', ${options})\n`)
  return file
}

const key = "Key: { classes: { key: 'one', others: 'many' }, functions: { theKey: ['key'], otherKey: ['others'] } }"
const abstract = `{ abstract: { ${key} } }`

/** A store of one map, to which others write after the key was written; and what is asked at the end. */
function store(asked: string): string {
  return `type Key = int;
event write: (by: machine, key: Key, val: int);
event written;
event show: machine;
event shown: map[Key, int];
fun theKey(): Key { return 0; }
fun otherKey(): Key { return 1 + choose(2); }
machine Store {
  var kept: map[Key, int];
  start state Serving {
    on write do (w: (by: machine, key: Key, val: int)) { kept[w.key] = w.val; send w.by, written; }
    on show do (who: machine) { send who, shown, kept; }
  }
}
machine Client {
  var at: machine;
  start state Init {
    entry { at = new Store(); send at, write, (by = this, key = theKey(), val = 1); }
    on written goto Others;
  }
  state Others {
    entry {
      if ($) { send at, write, (by = this, key = otherKey(), val = choose(3)); }
      else { send at, show, this; }
    }
    on written goto Others;
    on shown do (kept: map[Key, int]) { ${asked} }
  }
}
test tcStore [main=Client]: { Client, Store };`
}

const strict = store('assert theKey() in kept && kept[theKey()] == 1, "the key has its value";')
/** Classes do not know that two variables have the same value. */
const apart = `type Key;
fun otherKey(): Key;
fun theKey(): Key;
machine Main {
  start state Init {
    entry {
      var kept: map[Key, int]; var one: Key; var same: Key;
      one = otherKey();
      same = one;
      kept[one] = 1;
      assert one in kept;
      assert same in kept, "what was put there is there";
    }
  }
}
test tcApart [main=Main]: { Main };`

async function result(file: string, ...flags: readonly string[]) {
  const { code, stdout } = await allways(['check', file, '--json', '--trace-dir', folder, ...flags])
  return { code, ...JSON.parse(stdout).results[0] }
}

describe('a type that is abstracted', () => {
  test('is proved for all its values where no state of classes goes wrong', async () => {
    const file = written(strict, abstract)
    for (const engine of ['symbolic', 'stateful']) {
      const proved = await result(file, '--engine', engine)
      expect(proved).toMatchObject({ code: 0, verdict: 'proved', setting: { values: { types: ['Key'], of: 'all' } } })
      expect(proved.scope).toMatch(/^for all values of Key: all \d+ states of classes, sender-queue, no faults$/)
    }
  })

  test('is verified, and not proved, for so many of them', async () => {
    const some = await result(written(strict, abstract), '--values', '2')
    expect(some).toMatchObject({ code: 0, verdict: 'verified', setting: { values: { types: ['Key'], of: 2 } } })
    expect(some.scope).toMatch(/, 2 values in each class of many$/)
  })

  test('is verified, and not proved, within a bound on steps', long, async () => {
    const proved = await result(written(apart.replace('assert same in kept', 'assert one in kept'), abstract))
    expect(proved).toMatchObject({ verdict: 'proved' })
    const bounded = await result(written(strict, abstract), '--engine', 'dpor', '--max-steps', '6')
    expect(bounded).toMatchObject({ code: 0, verdict: 'verified' })
    expect(bounded.scope).toMatch(/ of classes of Key, sender-queue, no faults, at most 6 steps per process$/)
  })

  test('has violations with values, and their traces are replayed with these', async () => {
    const found = await result('test/cli/fixtures/p/abstraction/model.check.ts', '--engine', 'symbolic')
    expect(found).toMatchObject({
      code: 1,
      verdict: 'violated',
      violation: { message: 'the key has its value' },
      evidence: [{ kind: 'execution', values: 1 }],
    })
    expect(await allways(['replay', found.trace])).toMatchObject({ code: 1 })
  })

  test('is neither proved nor violated where only classes go wrong', async () => {
    const file = written(apart, abstract)
    const open = await result(file, '--engine', 'symbolic')
    expect(open).toMatchObject({
      code: 3,
      verdict: 'incomplete',
      violation: null,
      evidence: [{ kind: 'suspected', suspicion: { kind: 'assertion' }, tried: 3, isExhausted: true }],
    })
    const { stdout } = await allways(['check', file, '--engine', 'symbolic', '--keep-going'])
    expect(stdout).toContain('incomplete  tcApart — neither proved nor violated')
    expect(stdout).toContain('possible over classes: assertion violated in Main')
    expect(await result(file, '--values', '3')).toMatchObject({ verdict: 'verified' })
  })

  test('has a violation behind what only classes do wrong', async () => {
    const further = 'send this, go; assert same in kept'
    const behind = apart
      .replace('assert same in kept', further)
      .replace('fun otherKey', 'event go; fun otherKey')
      .replace(/\n {4}\}\n {2}\}\n/, '\n }\n on go do { assert otherKey() == otherKey(), "one key"; }\n }\n')
    for (const engine of ['symbolic', 'stateful']) {
      const found = await result(written(behind, abstract), '--engine', engine)
      expect(found).toMatchObject({ code: 1, verdict: 'violated', violation: { message: 'one key' } })
      expect(found.evidence).toMatchObject([{ kind: 'execution', values: 2 }, { kind: 'suspected' }])
    }
  })
})

describe('mistakes in an abstraction', () => {
  test('of a type that there is not, nothing else is said', async () => {
    const misspelt = abstract.replace('Key:', 'Kye:')
    const { stdout, stderr, code } = await allways(['check', written(strict, misspelt)])
    expect({ code, told: `${stdout}${stderr}`.match(/E\d{3}/g) }).toEqual({ code: 2, told: ['E107'] })
  })

  const refused = (options: string, message: string, hint: string) =>
    expectMistake(['check', written(strict, options)], { code: 'E107', message, hint })
  const classes = "classes: { key: 'one', others: 'many' }"

  test('are named where the check file makes them', async () => {
    await refused('{ abstrct: {} }', 'pModel() has no option "abstrct"', 'did you mean "abstract"?')
    await refused(
      `{ abstract: { Key: { clases: {} } } }`,
      'abstract.Key has no option "clases"',
      'did you mean "classes"?',
    )
    await refused(`{ abstract: { Key: { classes: { a: 'two' } } } }`, '"classes" of abstract.Key is an object', "'one'")
    await refused(`{ abstract: { Kye: { ${classes} } } }`, 'the program declares no type "Kye"', 'did you mean "Key"?')
    await refused(
      `{ abstract: { Key: { classes: { key: 'one' } } } }`,
      'the classes of "Key" do not cover it',
      "other: 'many'",
    )
    await refused(
      `{ abstract: { Key: { ${classes}, functions: { theKye: ['key'] } } } }`,
      'the program has no function "theKye"',
      'did you mean "theKey"?',
    )
    await refused(
      `{ abstract: { Key: { ${classes}, functions: { theKey: ['kye'] } } } }`,
      '"Key" has no class "kye"',
      'did you mean "key"?',
    )
    await refused(
      `{ abstract: { Key: { ${classes}, default: 'other' } } }`,
      '"Key" has no class "other"',
      'did you mean "others"?',
    )
  })
})

describe('an enum', () => {
  const traffic = (asked: string) => `enum Light { RED, AMBER, GREEN }
fun some(): Light { return choose(lights()); }
fun lights(): set[Light] { var all: set[Light]; all += (RED); all += (AMBER); all += (GREEN); return all; }
machine Main { start state Init { entry { var light: Light; light = some(); ${asked} } } }
test tcLight [main=Main]: { Main };`
  const stop = "{ abstract: { Light: { classes: { stop: ['RED'], others: ['AMBER', 'GREEN'] } } } }"
  const refused = (classes: string, message: string, hint: string) => {
    const file = written(traffic(''), `{ abstract: { Light: { classes: ${classes} } } }`)
    return expectMistake(['check', file], { code: 'E107', message, hint })
  }

  test('has its elements in classes, and is proved for all of them', async () => {
    const file = written(traffic('assert light != RED || !(light == GREEN);'), stop)
    expect(await result(file)).toMatchObject({ code: 0, verdict: 'proved' })
  })

  test('is violated with elements', async () => {
    const file = written(traffic('assert light != AMBER, "it is not amber";'), stop)
    expect(await result(file)).toMatchObject({ code: 1, violation: { message: 'it is not amber' } })
  })

  test('has each element in one class', async () => {
    await refused("{ stop: ['RED'] }", 'do not cover it: AMBER, GREEN are in none', 'each element is in one class')
    await refused(
      "{ a: ['RED', 'AMBER'], b: ['AMBER', 'GREEN'] }",
      '"AMBER" is in the classes "a" and "b"',
      'one class',
    )
    await refused("{ a: ['RDE'], b: ['AMBER', 'GREEN'] }", '"Light" has no element "RDE"', 'did you mean "RED"?')
    await refused("{ a: 'one', b: ['AMBER', 'GREEN'] }", `class "a" of "Light" is 'one'`, "a: ['RED', … ]")
  })

  test('has no order, and is no number', async () => {
    const hint = 'can be compared by == and !='
    const file = written(traffic('if ((light to int) == 1) { raise halt; }'), stop)
    await expectMistake(['check', file], { code: 'E233', message: 'a value becomes one of another type', hint })
  })
})

describe('what classes say nothing about is refused', () => {
  const refused = (asked: string, message: string, hint: string) =>
    expectMistake(['check', written(store(asked), abstract)], { code: 'E233', message, hint })

  test('with its place', async () => {
    const file = written(store('assert sizeof(kept) < 3;'), abstract)
    const { stderr } = await allways(['check', file])
    expect(stderr).toMatch(/\.p:27:48\n/)
    expect(stderr).toContain('> 27 |     on shown do (kept: map[Key, int]) { assert sizeof(kept) < 3; }')
  })

  test('if it is the order of values, or computing with them', async () => {
    const hint = '"Key" is abstracted: its values can be compared by == and !='
    for (const asked of ['assert theKey() < otherKey();', 'assert theKey() + 1 == 2;', 'assert theKey() == 1;'])
      await expectMistake(['check', written(store(asked), abstract)], { code: 'E712', message: 'Key', hint })
  })

  test('if it is how many there are, or which', async () => {
    const hint = '"in" can be asked'
    await refused('assert sizeof(kept) < 3;', '"sizeof" is asked of a collection', hint)
    await refused('assert sizeof(keys(kept)) < 3;', '"keys" is asked of a collection', hint)
    await refused('assert sizeof(values(kept)) < 3;', '"values" is asked of a collection', hint)
    await refused('assert kept == kept;', 'collections of values are compared', 'one by one')
  })

  test('if a monitor would have to choose', async () => {
    const watched = strict
      .replace(
        'machine Client',
        'spec Watch observes write { var last: Key; start state S { on write do see; } \n fun see(w: (by: machine, key: Key, val: int)) { if (w.key == last) { last = w.key; } } }\nmachine Client',
      )
      .replace('[main=Client]: {', '[main=Client]: assert Watch in {')
    const message = 'monitor "Watch" asks what is not known'
    const hint = 'let a machine compare them, and announce what it found'
    await expectMistake(['check', written(watched, abstract)], { code: 'E233', message, hint })
  })

  test('if it may be in any', async () => {
    const message = '"key" of Client.Others.on shown has the type "any"'
    await refused('var key: any; key = theKey();', message, 'give it the type of what is in it')
  })

  test('if it is a text that the program could read', async () => {
    await refused('if (format("{0}", theKey()) == "0") { raise halt; }', 'a text is made of a value', 'are free')
    const said = written(store('assert true, format("{0}", theKey());'), abstract)
    expect(await allways(['check', said])).toMatchObject({ code: 0 })
  })
})
