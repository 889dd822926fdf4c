/** A place of a repository. */
export interface Place {
  path: string;
  line: number | null;
  toLine: number | null;
}

const NUMBERED = /^(.+?)(?::(\d{1,7})(?:-(\d{1,7}))?|#L(\d{1,7})(?:-L?(\d{1,7}))?)$/;

const numberOf = (digits: string | undefined): number | null =>
  digits === undefined ? null : Number(digits);

/** Where a citation leads, by its text alone. */
export function placeOf(ref: string): Place {
  const rest = ref.replace(/^NEW:/, '');
  const [, path, line, to, hashLine, hashTo] = NUMBERED.exec(rest) ?? [];
  return {
    path: path ?? rest,
    line: numberOf(line ?? hashLine),
    toLine: numberOf(to ?? hashTo),
  };
}
