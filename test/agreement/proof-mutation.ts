/**
 * Proofs that are none: each differs from a proof in one place, so that it skips a statement, repeats one, or says something
 * about the wrong process. None of these changes leaves another proof of the same program.
 */
import type { Random } from '../../src/core/random.ts'
import type { Iterate, Proof, ProofStep } from '../../src/engines/sequentialize/proof.ts'

export interface Mutant {
  /** What was changed. */
  readonly name: string
  readonly proof: Proof
}

/** Every way in which this proof can be spoiled in one place. */
export function mutantsOf(proof: Proof, random: Random): Mutant[] {
  const names = namesIn(proof.steps)
  const mutants = variants(proof.steps, (steps, at) => changedAt(steps, at, names, random))
  return mutants.map(({ name, steps }) => ({ name, proof: { ...proof, steps } }))
}

interface Names {
  readonly parties: readonly string[]
  readonly statements: readonly number[]
}

interface Variant {
  readonly name: string
  readonly steps: readonly ProofStep[]
}

/** Changes of the steps at each position, here and in the lists inside. */
function variants(
  steps: readonly ProofStep[],
  change: (steps: readonly ProofStep[], at: number) => Variant[],
): Variant[] {
  return steps.flatMap((step, at) => {
    const replaced = (inner: ProofStep): readonly ProofStep[] => steps.toSpliced(at, 1, inner)
    return [...change(steps, at), ...inside(step, change).map(({ name, step }) => ({ name, steps: replaced(step) }))]
  })
}

function inside(
  step: ProofStep,
  change: Parameters<typeof variants>[1],
): { readonly name: string; readonly step: ProofStep }[] {
  if (step.rule === 'iterate')
    return variants(step.body, change).map(({ name, steps }) => ({ name, step: { ...step, body: steps } }))
  if (step.rule !== 'branch') return []
  return step.arms.flatMap((arm, at) =>
    variants(arm, change).map(({ name, steps }) => ({
      name,
      step: { ...step, arms: step.arms.toSpliced(at, 1, steps) },
    })),
  )
}

function changedAt(steps: readonly ProofStep[], at: number, names: Names, random: Random): Variant[] {
  const step = steps[at] as ProofStep
  const replaced = (name: string, ...by: readonly ProofStep[]): Variant => ({
    name,
    steps: steps.toSpliced(at, 1, ...by),
  })
  return [
    replaced(`without its ${step.rule}`),
    ...(step.rule === 'fold' ? [] : [replaced(`${step.rule} twice`, step, step)]),
    ...wrongIn(step, names, random).map(({ name, step }) => replaced(name, step)),
  ]
}

interface Wrong {
  readonly name: string
  readonly step: ProofStep
}

function wrongIn(step: ProofStep, names: Names, random: Random): Wrong[] {
  switch (step.rule) {
    case 'step':
    case 'skip':
      return [...elsewhere(step, names, random)]
    case 'send':
      return [...elsewhere(step, names, random), ...other(step, 'to', names.parties, random)]
    case 'receive':
      return [...elsewhere(step, names, random), ...other(step, 'from', names.parties, random)]
    case 'branch':
      return [
        ...elsewhere(step, names, random),
        ...step.arms.map((_, at) => ({ name: 'an arm less', step: { ...step, arms: step.arms.toSpliced(at, 1) } })),
        ...step.arms.map((arm) => ({ name: 'an arm more', step: { ...step, arms: [...step.arms, arm] } })),
      ]
    case 'iterate':
      return wrongIterations(step, names, random)
    default:
      return other(step, 'set', names.parties, random)
  }
}

function wrongIterations(step: Iterate, names: Names, random: Random): Wrong[] {
  const wrong: Wrong[] = []
  if (step.body.length > 0) wrong.push({ name: 'an iteration that does nothing', step: { ...step, body: [] } })
  for (const [at, leader] of step.leaders.entries()) {
    wrong.push({ name: 'a leader less', step: { ...step, leaders: step.leaders.toSpliced(at, 1) } })
    const others = names.statements.filter((statement) => statement !== leader.statement)
    if (others.length > 0) {
      const statement = random.pick(others)
      wrong.push({
        name: 'another loop',
        step: { ...step, leaders: step.leaders.toSpliced(at, 1, { ...leader, statement }) },
      })
    }
  }
  // Iterations in which no member takes part are as good without the set.
  const members = namesIn(step.body).parties.filter((party) => party.startsWith(`${step.over}#`))
  if (members.length > 0) wrong.push({ name: 'over nothing', step: { ...step, over: undefined } })
  for (const over of names.parties.filter((party) => party !== step.over)) {
    wrong.push({ name: 'over another set', step: { ...step, over } })
  }
  for (const [at, taken] of step.takes.entries()) {
    wrong.push({ name: 'one message less to take', step: { ...step, takes: step.takes.toSpliced(at, 1) } })
    const later = { ...taken, index: taken.index + 1 }
    wrong.push({ name: 'another message to take', step: { ...step, takes: step.takes.toSpliced(at, 1, later) } })
  }
  for (const at of step.havoc.keys()) {
    wrong.push({ name: 'a variable more that is known', step: { ...step, havoc: step.havoc.toSpliced(at, 1) } })
  }
  return wrong
}

/** By another process, or another statement. */
function elsewhere<S extends ProofStep & { readonly party: string; readonly statement: number }>(
  step: S,
  names: Names,
  random: Random,
): Wrong[] {
  return [...other(step, 'party', names.parties, random), ...other(step, 'statement', names.statements, random)]
}

function other<S extends ProofStep, K extends keyof S & string>(
  step: S,
  key: K,
  choices: readonly S[K][],
  random: Random,
): Wrong[] {
  const others = choices.filter((choice) => choice !== step[key])
  if (others.length === 0) return []
  return [{ name: `another ${key} of its ${step.rule}`, step: { ...step, [key]: random.pick(others) } }]
}

function namesIn(steps: readonly ProofStep[]): Names {
  const [parties, statements] = [new Set<string>(), new Set<number>()]
  const visit = (step: ProofStep): void => {
    if ('party' in step) parties.add(step.party)
    if ('statement' in step) statements.add(step.statement)
    if ('set' in step) parties.add(step.set)
    if (step.rule === 'branch') for (const arm of step.arms) arm.forEach(visit)
    if (step.rule !== 'iterate') return
    if (step.over !== undefined) parties.add(step.over)
    for (const leader of step.leaders) {
      parties.add(leader.party)
      statements.add(leader.statement)
    }
    step.body.forEach(visit)
  }
  steps.forEach(visit)
  return { parties: [...parties], statements: [...statements] }
}
