import type { JobInput, SubRunsEvent, SubRunsPorts } from '../../../machines/index.ts';
import type { Port } from '../../kernel/port.ts';
import { isRepairable, SvcError } from '../../base/errors/errors.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { Diagnostic } from '../../contract/schema/workflow/diagnostic.ts';

/** A sub-run's job, ready to start, with its initial rows. */
export interface PreparedSubRun {
  jobId: string;
  input: JobInput;
  rows: RowChange[];
}

export interface DispatchSubRunDeps {
  /**
   * Throws SvcError: `isRepairable`, `forbidden` or `config-invalid` if a person can repair the
   * cause; `rate-limited` or 500 and above for temporary errors; others are permanent.
   */
  subRunJob(params: SubRunsPorts['subRun.dispatch']): Promise<PreparedSubRun>;
}

/** Distributes over the union, which Omit alone does not. */
type WithoutTime<Event> = Event extends unknown ? Omit<Event, 'at'> : never;
type DispatchAnswer = WithoutTime<
  Extract<SubRunsEvent, { type: 'subRun.prepared' | 'subRun.unprepared' | 'subRun.postponed' }>
>;

/**
 * `subRun.dispatch`: makes the input of a sub-run's job. The dispatcher starts the job in the
 * commit that takes this answer, so repeats after a crash lead to one job. Errors that a person can
 * repair postpone it, as do temporary ones after the kernel's last attempt.
 */
export const dispatchSubRun =
  ({ subRunJob }: DispatchSubRunDeps): Port<SubRunsPorts['subRun.dispatch'], Tables> =>
  async (params) => {
    const { name, attempt } = params;
    try {
      const { jobId, input, rows } = await subRunJob(params);
      return {
        events: [{ type: 'subRun.prepared', name, attempt, jobId, input } satisfies DispatchAnswer],
        rows,
      };
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      const message = describeErrorWithDetails(error);
      if (isDispatchErrorForPerson(error)) {
        const needsPerson = true;
        return {
          events: [
            {
              type: 'subRun.postponed',
              name,
              attempt,
              message,
              needsPerson,
            } satisfies DispatchAnswer,
          ],
        };
      }
      if (error.status >= 500 || error.code === 'rate-limited') throw error;
      return {
        events: [{ type: 'subRun.unprepared', name, attempt, message } satisfies DispatchAnswer],
      };
    }
  };

/** A person can grant a permission or renew a token. */
const CODES_FOR_PERSON: ReadonlySet<string> = new Set(['forbidden', 'config-invalid']);

const isDispatchErrorForPerson = (error: SvcError): boolean =>
  CODES_FOR_PERSON.has(error.code) || isRepairable(error);

const MAX_NAMED = 3;

/** An error with the fields, or the places of a workflow, that it is about. */
function describeErrorWithDetails({ message, errors, data }: SvcError): string {
  const fields = errors.map(({ pointer, message: what }) => `; ${pointer} ${what}`);
  const diagnostics = Array.isArray(data.diagnostics) ? (data.diagnostics as Diagnostic[]) : [];
  const places = diagnostics
    .filter(({ severity }) => severity === 'error')
    .slice(0, MAX_NAMED)
    .map(({ file, line, column, message: what }) => `; ${file}:${line}:${column} ${what}`);
  return [message, ...fields, ...places].join('');
}
