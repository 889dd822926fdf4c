import { didYouMean } from '../../lib/closestName.ts';
import { ProviderEventKind } from '../../schema/pr.ts';
import type { Findings } from './findings.ts';
import type { WorkflowContext } from './workflowContext.ts';

/**
 * What follows the name of a tool up to one of its arguments. Bounded, so that a long line takes no
 * quadratic time.
 */
const UP_TO = '`?[ \\t]*\\(?[ \\t]*\\{[^}\\n]{0,200}?["\'`]?';
const KINDS = new RegExp(
  `await_event${UP_TO}kinds["'\`]?[ \\t]*[:=][ \\t]*\\[([^\\]\\n]{0,200})\\]`,
  'g',
);
const WORKFLOW_PATH = new RegExp(
  `(?:switch_workflow|convert_to_workflow)${UP_TO}workflowPath["'\`]?[ \\t]*[:=][ \\t]*["'\`]([^"'\`\\n]{1,256})["'\`]`,
  'g',
);
/** A name that is no placeholder such as `<kind>` or `…`. */
const NAME = /[A-Za-z][A-Za-z_-]*/g;

const EVENT_KINDS: readonly string[] = ProviderEventKind.anyOf.map((literal) => literal.const);

/**
 * Warns where text has an agent await an event that never comes, or go over to a workflow that no
 * layer has: the call would be refused, or the job would wait forever. `firstLine` is the file's
 * line that the text begins on.
 */
export function checkCallsInText(
  text: string,
  firstLine: number,
  { workflows }: Pick<WorkflowContext, 'workflows'>,
  findings: Findings,
): void {
  for (const [index, line] of text.split('\n').entries()) {
    const place = (offset: number) => ({ line: firstLine + index, column: offset + 1 });
    for (const match of line.matchAll(KINDS)) {
      const list = match[1] ?? '';
      const start = match.index + match[0].length - list.length - 1;
      for (const kind of list.matchAll(NAME)) {
        if (EVENT_KINDS.includes(kind[0])) continue;
        const message = `The text awaits the event ${kind[0]}, which never comes.`;
        findings.warning(
          'unknown-event-kind',
          place(start + kind.index),
          message,
          didYouMean(kind[0], EVENT_KINDS),
        );
      }
    }
    for (const match of workflows ? line.matchAll(WORKFLOW_PATH) : []) {
      const path = match[1] ?? '';
      if (workflows?.includes(path)) continue;
      const message = `The text names the workflow ${path}, which is in no layer.`;
      const start = match.index + match[0].length - path.length - 1;
      findings.warning(
        'missing-workflow',
        place(start),
        message,
        didYouMean(path, workflows ?? []),
      );
    }
  }
}
