/** Packages in the forms that compilers and bundlers give them, as classes under check import them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkResult } from '../../../src/check/check.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-forms-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Lets so many in at a time, as it is published. */
interface Form {
  readonly main: string
  readonly files: (permits: string) => Readonly<Record<string, string>>
  readonly imports: string
  readonly made: string
}

const gate = `class Gate {
    constructor(permits) { this.permits = permits; this.waiting = [] }
    acquire() {
      if (this.permits > 0) { this.permits--; return Promise.resolve() }
      return new Promise((done) => { this.waiting.push(done) })
    }
    release() { const [next] = this.waiting.splice(0, 1); if (next) next(); else this.permits++ }
  }`

const forms: Readonly<Record<string, Form>> = {
  'CommonJS that says it was an ES module, without a default': {
    main: 'index.js',
    files: (permits) => ({
      'index.js': `"use strict"; Object.defineProperty(exports, "__esModule", { value: true }); exports.Gate = void 0;
${gate}
exports.Gate = Gate; exports.permits = ${permits}`,
    }),
    imports: "import { Gate, permits } from 'gates'",
    made: 'new Gate(permits)',
  },
  'CommonJS with a default': {
    main: 'index.js',
    files: (permits) => ({
      'index.js': `Object.defineProperty(exports, "__esModule", { value: true });
${gate}
exports.default = () => new Gate(${permits})`,
    }),
    imports: "import made from 'gates'",
    made: 'made()',
  },
  'CommonJS in several files, whose exports are getters': {
    main: 'index.js',
    files: (permits) => ({
      'index.js': `"use strict"; Object.defineProperty(exports, "__esModule", { value: true });
var gate_1 = require("./gate");
Object.defineProperty(exports, "Gate", { enumerable: true, get: function () { return gate_1.Gate; } });`,
      'gate.js': `"use strict"; Object.defineProperty(exports, "__esModule", { value: true });
var __values = (this && this.__values) || function (o) { var m = o[Symbol.iterator]; return m.call(o); };
${gate}
exports.Gate = class extends Gate {
  constructor() { super(0); for (var sizes = __values([${permits}]), one = sizes.next(); !one.done; one = sizes.next()) this.permits += one.value }
}`,
    }),
    imports: "import { Gate } from 'gates'",
    made: 'new Gate()',
  },
  'an enumeration, and a function that calls itself, in variables of a bundle': {
    main: 'index.mjs',
    files: (permits) => ({
      'index.mjs': `var Size=(S=>{S.Whole="whole";return S})(Size||{}),count=n=>n===0?0:1+count(n-1);
var Gate=${gate};function make(){return new Gate(Size.Whole==="whole"?count(${permits}):0)}export{make,Size}`,
    }),
    imports: "import { make, Size } from 'gates'",
    made: 'Size.Whole === "whole" ? make() : make()',
  },
}

test.each(Object.keys(forms))('%s', async (name) => {
  expect(await verdictOf(name, '1')).toBe('verified')
  expect(await verdictOf(name, '2')).toBe('violated')
})

let cases = 0

async function verdictOf(name: string, permits: string): Promise<string> {
  const form = forms[name] as Form
  const own = join(folder, `case${cases++}`)
  const into = join(own, 'node_modules', 'gates')
  mkdirSync(into, { recursive: true })
  writeFileSync(join(into, 'package.json'), JSON.stringify({ name: 'gates', version: '1.0.0', main: form.main }))
  for (const [file, text] of Object.entries(form.files(permits))) writeFileSync(join(into, file), text)
  const file = join(own, 'counter.check.ts')
  writeFileSync(
    file,
    `import { linearizable } from 'allways'
${form.imports}
class Counter {
  n = 0
  gate = ${form.made}
  async inc() {
    await this.gate.acquire()
    const n = this.n
    await null
    this.n = n + 1
    this.gate.release()
    return n + 1
  }
}
export default linearizable(Counter, { operations: { inc: [] }, clients: ['{ inc() } || { inc() }'] })
`,
  )
  const result = await checkResult(file, { causes: false })
  return result.ok ? result.value.kind : JSON.stringify(result.diagnostics)
}
