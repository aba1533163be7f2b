/** A statement that begins with a parenthesis behind `n++` stays one of its own, whoever reads the source after us. */
import { expect, test } from 'vitest'
import { orThrow } from '../../../src/core/diagnostic.ts'
import { transform } from '../../../src/frontends/typescript/transform.ts'

test.each(['(await 0)', '[n] = [n]', '`text`'])('n++ and then %s', (next) => {
  for (const update of ['n++', 'n--']) {
    const { code } = orThrow(transform(`async () => {\n  let n = 0\n  ${update}\n  ${next}\n}`, 'some.ts'))
    expect(code).toContain(`${update};\n`)
  }
})

test('what went on before goes on', () => {
  const { code } = orThrow(transform('const f = (n) => n\nlet n = 0\nn = f\n(1)\n', 'some.ts'))
  expect(code).not.toContain('f;')
})
