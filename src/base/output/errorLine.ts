/** A line of a log, without colours. */
interface Line {
  from: string;
  tag: string | null;
  line: string;
}

/** Words by which programs report that something went wrong. */
const REPORTS =
  /(?:^|[\s[(:])(?:error|errors|err!|failed|failure|failures|fatal|panic|exception|traceback|not ok)(?=$|[\s:\])!,.(])|✗|✘|✖/i;
/** Names of error classes, and how test runners mark a file. */
const NAMES = /[a-z](?:Error|Exception)\b|(?:^|\s)FAIL\b/;
/** Counts of nothing, as in `0 errors` or `no failures`. */
const NONE =
  /\b(?:0|no|without) (?:errors?|failed|failures?|exceptions?)\b|\b(?:errors?|failed|failures?)[:=]? ?0\b/gi;
/** How many characters of a line are read: the error is at its beginning. */
const READ_CHARS = 2_000;

/** Whether the words of a line report an error. An agent's thinking never does. */
export function isErrorLine({ from, tag, line }: Line): boolean {
  if (from === 'agent' && tag === 'thinking') return false;
  const text = line.slice(0, READ_CHARS).replace(NONE, '');
  return REPORTS.test(text) || NAMES.test(text);
}

/** A line that begins with the name of what went wrong. */
const NAMED =
  /^\s*(?:Uncaught )?(?:[A-Z]\w*(?:Error|Exception)|[Ee]rror|ERROR|fatal|panic)\b[^:]*: \S/;

/** Whether a line names the error; one such as `throw new Error(…)` only looks like a report. */
export const isNamedError = (line: string): boolean => NAMED.test(line.slice(0, READ_CHARS));
