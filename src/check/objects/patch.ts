/** The repair as a patch: the lines that must be atomic, wrapped in a `Mutex`, as a unified diff. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AtomicSection } from '../../core/code.ts'
import { failure, type Result, success } from '../../core/diagnostic.ts'
import { lockSections } from '../../frontends/typescript/mutex-sections.ts'
import { unifiedDiff } from './unified-diff.ts'

export interface Patch {
  /** As users see it. */
  readonly file: string
  readonly before: string
  readonly after: string
}

export function patchesFor(sections: readonly AtomicSection[]): Result<readonly Patch[]> {
  const patches: Patch[] = []
  for (const file of new Set(sections.map((section) => section.file))) {
    const before = readFileSync(resolve(file), 'utf8')
    const after = lockSections(
      before,
      file,
      sections.filter((section) => section.file === file),
    )
    if (!after.ok) return failure(...after.diagnostics)
    patches.push({ file, before, after: after.value })
  }
  return success(patches)
}

/** As `patch -p1` and `git apply` read it. */
export function patchText(patches: readonly Patch[]): string {
  return patches.map(({ file, before, after }) => unifiedDiff(file, before, after)).join('')
}
