/**
 * Mutants that no program tells from the extractor yet, without a reason why none could. One that is caught, or is not
 * there, fails the soak.
 */
export const open: ReadonlySet<string> = new Set([])
