/** Published code is minified: it has no blank behind a keyword unless one is needed, and expressions where statements were. */
import { transformSync } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { load, loadNative } from './miniature-runtime.ts'
import { snippets } from './snippets.ts'

type Main = () => unknown

async function outcome(main: unknown): Promise<unknown> {
  try {
    return { returned: await (main as Main)() }
  } catch (error) {
    return { threw: String(error) }
  }
}

async function agrees(source: string): Promise<void> {
  const expected = await outcome(loadNative(source).main)
  expect(expected).not.toHaveProperty('threw')
  for (const options of [{}, { stops: () => true }])
    expect(await outcome(load(source, options).exports.main), source).toEqual(expected)
}

function minified(source: string): string {
  return transformSync(source, { loader: 'ts', minify: true, keepNames: true, target: 'es2024' }).code
}

describe('what is minified does what the source does', () => {
  for (const { name, source } of snippets) test(name, async () => await agrees(minified(source)))
})

/** Each keyword with what may stand behind it without a blank. */
const operands = ['[a]', '{a}', '(a,b)', '"s"', `\`t\${a}\``, '/re/.source', '!a', '-a', '+a', '~a', '++a', '--a']
const statements = ['{f=a}', '[f]=[a]', '(f=a,0)', '"use"', '`t`', '/r/.test(a)', '!a', '-a', '++f', ';']

function forms(): readonly (readonly [string, string])[] {
  return [
    ...operands.map((one) => [`return${one}`, `m(a,b){const n=this.n;return${wrapped(one)}}`] as const),
    ...operands.map(
      (one) => [`throw${one}`, `m(a,b){try{const n=this.n;throw${wrapped(one)}}catch(e){return e}}`] as const,
    ),
    ...operands.map((one) => [`typeof${one}`, `m(a,b){return typeof${one}+this.n}`] as const),
    ...operands.map((one) => [`void${one}`, `m(a,b){return[void${one},this.n,a]}`] as const),
    ...operands.map((one) => [`case${one}`, `m(a,b){switch(this.n){case${one}:return 1;default:return 2}}`] as const),
    ...operands.map((one) => [`await${one}`, `async m(a,b){return[await${one},a=await[this.n]]}`] as const),
    ...operands.map(
      (one) => [`of${one}`, `m(a,b){const r=[];for(const x of[${one},this.n])r.push(x);return r}`] as const,
    ),
    ...['[a]', '{a}'].map(
      (one) => [`in${one}`, `m(a,b){const n=this.n;return["a"in${one},0 in[n],"n"in this]}`] as const,
    ),
    ...['[a]', '{a}'].map(
      (one) => [`in of for${one}`, `m(a,b){const r=[];for(const x in${one})r.push(x);return r}`] as const,
    ),
    ...statements.map(
      (one) => [`else${one}`, `m(a,b){let f=this.n;if(b)f=2;else${one}${one === ';' ? '' : ';'}return f}`] as const,
    ),
    ...statements.map(
      (one) => [`do${one}`, `m(a,b){let f=this.n;do${one}${/^[;{]/.test(one) ? '' : ';'}while(b);return f}`] as const,
    ),
    ['new(C)', 'm(a,b){const n=this.n;return new(class{v=n})().v}'],
    ['extends(C)', 'm(a,b){const n=this.n;return new(class extends(class{v=n}){w=this.v})().w}'],
    ['default[', 'm(a,b){switch(a){default:[b]=[this.n]}return b}'],
    ['instanceof(C)', 'm(a,b){return[a instanceof(Object),this instanceof(Object),this.n]}'],
    ['delete(x)', 'm(a,b){const o={a};return[delete(o.a),delete[o][0],o,this.n]}'],
    ['static{', 'static s=1;static{this.s=2}m(a,b){return[C.s,this.n]}'],
    ['let[', 'm(a,b){let[x]=[this.n];const{y=x}={};var[z]=[y];return[x,y,z]}'],
    [
      'get[',
      'get["x"](){return this.n}set["x"](v){this.n=v}async["y"](){return[await(this.n)]}m(a,b){this.x=4;return this.y().then?[this.x]:0}',
    ],
    ['async(x)', 'm(a,b){const n=this.n;return[(async()=>n)().then!==0,(async x=>x)!==n]}'],
    ['a- -n', 'm(a,b){let f=this.n;const g=()=>f;return[a- -f,a+ +f,a- --f,f-- -a,f+++a,g(),a/ +/1/.test(f)]}'],
  ]
}

/** With something that has to be evaluated before the rest. */
function wrapped(operand: string): string {
  if (operand === '{a}') return '{a:a=n||b,b}'
  return operand === '[a]' ? '[a=n||b]' : operand
}

describe('no blank stands behind', () => {
  for (const [name, member] of forms())
    test(name, async () => await agrees(`class C{n=0;${member}}export function main(){return new C().m(1,0)}`))
})
