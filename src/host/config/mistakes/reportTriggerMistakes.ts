import { listParamTypeErrors } from '../../../contract/schema/job/jobParams.ts';
import { PERSON_OWNED_PARAMS } from '../../../base/jobs/params.ts';
import {
  TRIGGER_PLACEHOLDERS,
  listTriggerPlaceholders,
} from '../../../contract/schema/forge/trigger.ts';
import type { Config } from '../configSchema.ts';

/**
 * Mistakes of rules that no schema sees: names used twice, placeholders that mean nothing, words of
 * others where people decide.
 */
export function reportTriggerMistakes(
  { triggers }: Config,
  report: (path: (string | number)[], message: string) => void,
): void {
  const seen = new Set<string>();
  for (const [index, { id, params }] of triggers.entries()) {
    if (seen.has(id))
      report(['triggers', index, 'id'], `Two rules have the id ${id}. Give each rule its own id.`);
    seen.add(id);
    for (const { pointer, message } of listParamTypeErrors(params)) {
      const [name = '', item] = pointer.slice(1).split('/');
      report(
        ['triggers', index, 'params', name, ...(item === undefined ? [] : [Number(item)])],
        `triggers[${index}].params.${name} ${message}.`,
      );
    }
    for (const [name, value] of Object.entries(params)) {
      const found = [value]
        .flat()
        .flatMap((one) => (typeof one === 'string' ? listTriggerPlaceholders(one) : []));
      const at = ['triggers', index, 'params', name];
      for (const one of found.filter((used) => !TRIGGER_PLACEHOLDERS.includes(used)))
        report(
          at,
          `{{${one}}} is not a placeholder. Known: ${TRIGGER_PLACEHOLDERS.map((known) => `{{${known}}}`).join(', ')}.`,
        );
      if (found.length > 0 && PERSON_OWNED_PARAMS.some((owned) => owned === name))
        report(
          at,
          `${name} controls what an agent may do on its own: write it out, without placeholders.`,
        );
    }
  }
}
