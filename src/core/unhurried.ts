/** Work that takes a breath every so many steps, so that whoever waits for it can look at the clock. */
export type Unhurried<Answer> = Generator<undefined, Answer, undefined>

/** Without looking at the clock. */
export function atOnce<Answer>(work: Unhurried<Answer>): Answer {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}
