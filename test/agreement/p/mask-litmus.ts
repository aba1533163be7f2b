/** Small programs in which a value is compared whose parts are there in some executions alone: what others have in those places does not count. */

/** Where both are equal, and nowhere else, there is another step. */
const told = (body: string, fields: string): string => `
  event equals;
  machine Main {
    var left: ${fields}; var right: ${fields};
    start state S { entry { var first: bool; ${body} if (left == right) { send this, equals; } } on equals do {} }
  }
  test tc [main=Main]: { Main };
`

export const maskLitmus = [
  {
    name: 'a key that both maps lost',
    text: told(
      'left[1] = 5; right[1] = 6; first = $; if (first) { left -= (1); right -= (1); } else { right[1] = 7; }',
      'map[int, int]',
    ),
  },
  {
    name: 'keys that maps lost in different executions',
    text: told(
      'left[1] = 5; right[1] = 6; left[2] = 3; right[2] = 3; first = $; if (first) { left -= (1); } if ($) { right -= (1); }',
      'map[int, int]',
    ),
  },
  {
    name: 'items of lists that are shorter elsewhere',
    text: told(
      'left += (0, 1); right += (0, 1); left += (1, 2); right += (1, 3); first = $; if (first) { left -= (1); right -= (1); }',
      'seq[int]',
    ),
  },
  {
    name: 'a map in a map',
    text: told(
      'left[1] = default(map[int, int]); right[1] = default(map[int, int]); left[1][2] = 3; right[1][2] = 4; first = $; if (first) { left[1] -= (2); right[1] -= (2); } if ($) { right -= (1); left -= (1); }',
      'map[int, map[int, int]]',
    ),
  },
] as const
