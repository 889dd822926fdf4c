/** A place of a repository. */
export interface CitationPlace {
  path: string;
  line: number | null;
  toLine: number | null;
}

const NUMBERED = /^(.+?)(?::(\d{1,7})(?:-(\d{1,7}))?|#L(\d{1,7})(?:-L?(\d{1,7}))?)$/;

const parseCitationLine = (digits: string | undefined): number | null =>
  digits === undefined ? null : Number(digits);

/** Where a citation leads, by its text alone. */
export function parseCitationPlace(ref: string): CitationPlace {
  const rest = ref.replace(/^NEW:/, '');
  const [, path, line, to, hashLine, hashTo] = NUMBERED.exec(rest) ?? [];
  return {
    path: path ?? rest,
    line: parseCitationLine(line ?? hashLine),
    toLine: parseCitationLine(to ?? hashTo),
  };
}
