/** Minified code of processes and classes: no keyword needs a blank behind it where the grammar does not ask for one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkResult } from '../../../src/check/check.ts'

const folder = mkdtempSync(join(tmpdir(), 'allways-minified-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function checked(name: string, source: string) {
  const file = join(folder, `${name}.check.ts`)
  writeFileSync(file, source)
  const result = await checkResult(file, { causes: false })
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics))
  return result.value
}

/** What an async function returns, with `w` to wait for; `n` is 3. */
const bodies = [
  'let m;await(w());return{a:m=n||await(w())}',
  'let m;return[m=await(w()),n]',
  'return(await(w()),n)',
  'return!await(w())',
  'return-(await[n,w()][0])',
  'return"s"+await(w())',
  `return\`t\${await(w())}\${n}\``,
  'return/3/.test(n)',
  'try{throw{a:n,b:await(w())}}catch{return[n]}',
  'try{throw[await(w()),n]}catch(e){return e}',
  'switch(n){case(await(w()),3):return"three"}',
  'if(await(w()))return 1;else{n++}return typeof[await(w())]+n',
  'const r=[];for(const x of[1,await(w()),n])r.push(x);for(const k in[await(w())])r.push(k);return r',
  'const r=[];for await(const[x]of[[w()],[n]])r.push(await(x));return r',
  'const g=async function*(){yield[await(w())];yield{n};yield"n";return"end"};const r=[];for await(const x of(g()))r.push(x);return r',
  'const g=function*(){yield[n];yield{n};yield*[n]};await(w());return[...g()]',
  'const o={async["f"](){return[await(w())]},async*g(){yield[n]}};return[await(o.f()),await(o.g().next())]',
  'class C{async["f"](){return[await(w())]}async*g(){yield[n]}static async h(){return{n}}}return[await(new C).f(),await(C.h()),await(new(C)().g().next())]',
  'let f=n;do{f--;await(w())}while(f);do await(w());while(f);return[f]',
  'return new(await(w(),Array))(n).length',
]

test('processes', async () => {
  for (const [at, body] of bodies.entries()) {
    const native = await new Function('w', `return (async n=>{${body}})(3)`)(async () => undefined)
    const source = `import{assert,program,self}from"allways";const w=async()=>{await(self())};const f=async n=>{${body}};
export default program("p",async()=>{const r=await(f(3));await(assert(JSON.stringify(r)===${JSON.stringify(JSON.stringify(native))},JSON.stringify(r)))})`
    expect({ body, verdict: (await checked(`process${at}`, source)).kind }).toEqual({ body, verdict: 'verified' })
  }
})

test('classes: what is returned is what Node returns, so that a lost update is found', async () => {
  for (const [at, body] of bodies.entries()) {
    const native = await new Function('w', `return (async n=>{${body}})(3)`)(async () => undefined)
    const source = `import{linearizable}from"allways";const w=async()=>{await null};
class C{n=0;async f(n){${body}}async inc(){const n=this.n;const r=await(this.f(3));this.n=n+1;return{a:[n,JSON.stringify(r)]}}}
export default linearizable(C,{operations:{inc:[]},clients:["{ inc() } || { inc() }"]})`
    const verdict = await checked(`class${at}`, source)
    expect({ body, kind: verdict.kind }).toEqual({ body, kind: 'violated' })
    const text = JSON.stringify(verdict.evidence)
    expect(text, body).toContain(JSON.stringify(JSON.stringify(native)).slice(1, -1))
  }
})
