/**
 * The repair as a patch. Several ways are tried, and each is checked before anybody sees it: the changed sources are loaded in the
 * place of the files, and all clients must verify, with results that the class gave sequentially before it was changed.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AtomicSection } from '../../core/code.ts'
import { type Diagnostic, failure, orThrow, type Result, success } from '../../core/diagnostic.ts'
import { evidenceOf } from '../../core/evidence.ts'
import { settingFrom } from '../../core/setting.ts'
import type { BudgetName } from '../../core/verdict.ts'
import type { Host } from '../../distribute/driver.ts'
import { repairedSource, type Way, ways } from '../../frontends/typescript/patch/repaired-source.ts'
import type { ObjectCheck } from '../../program/object-check.ts'
import { engineNamed } from '../catalogue.ts'
import { realHost } from '../host.ts'
import type { Overlay } from '../load-bundle.ts'
import type { NamedProgram } from '../load-named.ts'
import { type CheckRequest, requestAgain } from '../request.ts'
import { runCheck } from '../run.ts'
import { inTime, type Limits, limitsOf, spent, spentNow } from '../spent.ts'
import { undeclaredClass } from './class-check.ts'
import { classProgram } from './class-program.ts'
import { type LoadedObjects, loadObjects } from './load.ts'
import { unifiedDiff } from './unified-diff.ts'

export interface Patch {
  /** As users see it. */
  readonly file: string
  readonly before: string
  readonly after: string
}

export interface VerifiedPatch {
  readonly patches: readonly Patch[]
  /** How many clients verify with it. */
  readonly clients: number
}

/** What was found wrong, and how it was looked at; the budget of time is for loading and checking all patches together. */
export interface Wanted {
  readonly selected: NamedProgram
  readonly request: CheckRequest
  readonly sections: readonly AtomicSection[]
  readonly host?: Host | undefined
}

/** The first way that verifies; else what was tried, and what each left. A name: what ended the search for one. */
export async function verifiedPatch(wanted: Wanted): Promise<Result<VerifiedPatch> | BudgetName> {
  const { request, host = realHost } = wanted
  const limits = inTime(limitsOf(request, { host, startedAt: host.now() }))
  const over = spent(limits)
  if (over !== undefined) return over
  const original = await seen(wanted)
  if (!original.ok) return original
  if (original.value.loaded.digest !== wanted.selected.loaded.digest) return failure(changedMeanwhile(wanted))
  const tried: Attempt[] = []
  for (const way of ways) {
    const because = await spentNow(limits)
    if (because !== undefined) return because
    const attempt = await attempted(wanted, way, { original: original.value, limits })
    if (attempt.verified !== undefined) return success(attempt.verified)
    if (attempt.because !== undefined) return attempt.because
    tried.push(attempt)
  }
  return failure(noneVerifies(wanted, tried))
}

/** As `patch -p1` and `git apply` read it. */
export function patchText(patches: readonly Patch[]): string {
  return patches.map(({ file, before, after }) => unifiedDiff(file, before, after)).join('')
}

interface Attempt {
  readonly way: Way
  readonly verified?: VerifiedPatch | undefined
  readonly left: string
  readonly unlocked: readonly string[]
  /** What ended its check. */
  readonly because?: BudgetName | undefined
}

interface Attempting {
  readonly original: Seen
  readonly limits: Limits
}

async function attempted(wanted: Wanted, way: Way, { original, limits }: Attempting): Promise<Attempt> {
  const made = madeBy(wanted.sections, way)
  if (!made.ok) return { way, left: made.diagnostics[0]?.message ?? '', unlocked: [] }
  const { patches, unlocked } = made.value
  const patched = await seen(wanted, new Map(patches.map(({ file, after }) => [resolve(file), after])))
  if (!patched.ok) return { way, left: patched.diagnostics[0]?.message ?? '', unlocked }
  const { check, loaded } = patched.value
  const program = classProgram(check, {
    modules: loaded.modules,
    original: { create: original.check.create, modules: original.loaded.modules },
  })
  const again = requestAgain(wanted.request, program, orThrow(engineNamed('stateful', program)))
  if (!again.ok) return { way, left: again.diagnostics[0]?.message ?? '', unlocked }
  const { host, startedAt, budget } = limits
  const { milliseconds } = budget
  const left = milliseconds === undefined ? undefined : Math.max(0, milliseconds - (host.now() - startedAt))
  const request = { ...again.value, wantsCauses: false, budget: { ...again.value.budget, milliseconds: left } }
  const ran = await runCheck(request, { host })
  if (!ran.ok) return { way, left: ran.diagnostics[0]?.message ?? '', unlocked }
  const { verdict } = ran.value
  if (verdict.kind === 'verified') {
    return { way, verified: { patches, clients: again.value.sweep?.outOf ?? 1 }, left: '', unlocked }
  }
  const [found] = evidenceOf(verdict.evidence, 'execution')
  const fails = found === undefined ? 'a budget ended its check' : `${found.client?.text ?? 'a client'} still fails`
  // What another budget ends may verify in another way.
  const because = found === undefined && verdict.kind === 'incomplete' ? spent(limits) : undefined
  return { way, left: fails, unlocked, because }
}

interface Made {
  readonly patches: readonly Patch[]
  readonly unlocked: readonly string[]
}

function madeBy(sections: readonly AtomicSection[], way: Way): Result<Made> {
  const patches: Patch[] = []
  const unlocked: string[] = []
  for (const file of new Set(sections.map((section) => section.file))) {
    const before = readFileSync(resolve(file), 'utf8')
    const inFile = sections.filter((section) => section.file === file)
    const repaired = repairedSource(before, { file, sections: inFile, way })
    if (!repaired.ok) return repaired
    patches.push({ file, before, after: repaired.value.text })
    unlocked.push(...repaired.value.unlocked)
  }
  return success({ patches, unlocked })
}

interface Seen {
  readonly loaded: LoadedObjects
  readonly check: ObjectCheck
}

/** The class of the check, from files as they are or as they would be. */
async function seen({ selected, request }: Wanted, overlay?: Overlay): Promise<Result<Seen>> {
  const { path, origin, exportName, program } = selected
  const loaded = await loadObjects(path, { overlay })
  if (!loaded.ok) return loaded
  const { clients } = request.setting.bounds
  const named =
    origin?.kind === 'class'
      ? undeclaredClass(path, loaded.value, { name: origin.name, args: origin.args, clients })
      : success(loaded.value.programs.find((one) => one.exportName === exportName))
  if (!named.ok) return named
  const check = named.value?.program.views.object?.(settingFrom({ params: {}, network: 'bag' }))
  return check === undefined ? failure(gone(program.name)) : success({ loaded: loaded.value, check })
}

const inWords: { readonly [way in Way]: string } = {
  lines: 'a lock around these lines',
  methods: 'a lock in every async method that touches the same fields',
  'ask again': 'asking again behind the await',
}

function noneVerifies({ selected }: Wanted, tried: readonly Attempt[]): Diagnostic {
  const attempts = tried.map(({ way, left }) => `${inWords[way]}: ${left}`)
  const unlocked = [...new Set(tried.flatMap((one) => one.unlocked))].map((name) => `${name}()`)
  const one = unlocked.length === 1
  return {
    code: 'E305',
    message: `no patch for ${selected.program.name} was written, because none verifies; ${attempts.join('; ')}`,
    hint:
      unlocked.length === 0
        ? 'a lock must cover every method that conflicts with these lines, and no two of them that call each other'
        : `${unlocked.join(', ')} ${one ? 'touches' : 'touch'} the same fields and ${one ? 'is' : 'are'} synchronous: a lock excludes only methods that take it, so ${one ? 'it' : 'they'} would have to become async, which callers would see`,
  }
}

function changedMeanwhile({ selected }: Wanted): Diagnostic {
  const message = `${selected.loaded.file}, or a file it imports, has changed since it was loaded, perhaps by the patch of another class`
  return { code: 'E305', message, hint: 'run the command again' }
}

function gone(name: string): Diagnostic {
  return { code: 'E305', message: `the patched files have no check of ${name}`, hint: 'repair the lines by hand' }
}
