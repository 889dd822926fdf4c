/**
 * Whether text for a stream is to be coloured: on a terminal that can show it, unless NO_COLOR is set;
 * FORCE_COLOR colours files and pipes too, and `0` or `false` in it means none. A CI product that sets
 * `CI` has no say in it: what commands print there is read by programs.
 */
export function wantsColor(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  const { NO_COLOR = '', FORCE_COLOR, TERM } = env;
  if (NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined) return !['0', 'false', 'no', 'off'].includes(FORCE_COLOR);
  return isTerminal && TERM !== 'dumb';
}
