/** Sets of small numbers (0 to 30) as the bits of one number. */
export function bit(member: number): number {
  return 1 << member
}

export function isSubset(left: number, right: number): boolean {
  return (left & ~right) === 0
}

/** The least member of a set that has one. */
export function least(mask: number): number {
  return 31 - Math.clz32(mask & -mask)
}

export function count(mask: number): number {
  let left = mask
  let members = 0
  for (; left !== 0; left &= left - 1) members++
  return members
}
