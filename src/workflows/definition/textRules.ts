import { suggestClosestName } from '../../base/text/findClosestName.ts';
import { ProviderEventKind } from '../../contract/schema/forge/pr.ts';
import type { Findings, Place } from './findings.ts';
import type { WorkflowContext } from './workflowContext.ts';

/**
 * The text between a tool's name and one of its arguments, over one or several lines: `{ "phase":
 * …`, `({ phase: …`, `` ` with `{ "phase": … ``. Bounded, to avoid quadratic time.
 */
export const ARGUMENTS =
  '`?\\s{0,40}(?:with\\s{1,40}`?)?\\(?\\s{0,40}\\{[^{}]{0,300}?(?<![A-Za-z_])["\'`]?';
/** The text between an argument's name and its value. */
export const IS = '["\'`]?\\s{0,40}[:=]\\s{0,40}';

/** Converts an offset in a text to a place. `firstLine`: the file's line where the text begins. */
export function createPlaceLookup(text: string, firstLine: number): (offset: number) => Place {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: firstLine + low, column: offset - (starts[low] ?? 0) + 1 };
  };
}

const KINDS = new RegExp(`await_event${ARGUMENTS}kinds${IS}\\[([^\\]]{0,200})\\]`, 'g');
const WORKFLOW_PATH = new RegExp(
  `(?:switch_workflow|convert_to_workflow)${ARGUMENTS}workflowPath${IS}["'\`]([^"'\`\\n]{1,256})["'\`]`,
  'g',
);
/** Names of the workflows that a text tells an agent to switch to. */
export const listMentionedWorkflows = (text: string): string[] =>
  [...text.matchAll(WORKFLOW_PATH)].map((match) => match[1] ?? '');

/** Names, unlike placeholders such as `<kind>` or `…`. */
const NAME = /[A-Za-z][A-Za-z_-]*/g;

const EVENT_KINDS: readonly string[] = ProviderEventKind.anyOf.map((literal) => literal.const);

/**
 * Warns if a text makes an agent await an event that never comes, or switch to a missing workflow:
 * the call would be refused, or the job would wait forever. `firstLine`: the file's line where the
 * text begins.
 */
export function checkCallsInText(
  text: string,
  firstLine: number,
  { workflows }: Pick<WorkflowContext, 'workflows'>,
  findings: Findings,
): void {
  const findPlace = createPlaceLookup(text, firstLine);
  for (const match of text.matchAll(KINDS)) {
    const list = match[1] ?? '';
    const start = match.index + match[0].length - list.length - 1;
    for (const kind of list.matchAll(NAME)) {
      if (EVENT_KINDS.includes(kind[0])) continue;
      findings.addWarning(
        'unknown-event-kind',
        findPlace(start + kind.index),
        `The text awaits the event ${kind[0]}, which never comes.`,
        suggestClosestName(kind[0], EVENT_KINDS),
      );
    }
  }
  for (const match of workflows ? text.matchAll(WORKFLOW_PATH) : []) {
    const path = match[1] ?? '';
    if (workflows?.includes(path)) continue;
    findings.addWarning(
      'missing-workflow',
      findPlace(match.index + match[0].length - path.length - 1),
      `The text names the workflow ${path}, which was not found.`,
      suggestClosestName(path, workflows ?? []),
    );
  }
}
