/** What locks, atomics and promises of ours have in common: their fields change, and only through their operations. */
export abstract class Primitive {}
