import type { AuthoredEvent } from '../../contract/forge/forge.ts';
import type { WakeRules } from '../../contract/forge/hook.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { RowChange, Submission } from '../../contract/records/changes.ts';
import { findUnheardReason } from '../../providers/rest/wakeRules.ts';
import type { LogFrame } from '../../contract/schema/job/frames.ts';

const TABLE = 'unheard_news';

/** Most lines that a job gets of one poll or delivery; the rest is counted. */
const MAX_LINES = 10;

export interface UnheardEvent {
  jobId: string;
  one: AuthoredEvent;
}

export interface UnheardDeps {
  rows: Pick<RowReader, 'count'>;
  place(jobId: string): { phase: string; visit: number };
  now(): number;
}

/**
 * Why an event does not reach a job, with the setting that changes it; null = it does, or no person
 * caused it.
 */
function explainUnheardSetting(one: AuthoredEvent, rules: WakeRules): string | null {
  const { author, forge: plugin } = one.event;
  const [id = author] = one.identities ?? [];
  // The settings compare ids, so the message names the id of a person who is to be heard.
  const who = id.toLowerCase() === author.toLowerCase() ? author : `${author} (${id})`;
  switch (findUnheardReason(one, rules)) {
    case 'ignored':
      return `ignoreAuthors of ${plugin} names ${who}`;
    case 'not-named':
      return `wakeAuthors of ${plugin} does not name ${who}`;
    case 'not-member':
      return `${who} is not a member (wakeAuthors of ${plugin} can name others)`;
    default:
      return null;
  }
}

/**
 * Lines for the logs of jobs that say why something does not reach them, so that people need not
 * guess why a comment woke nothing: one line for each event, however often it is reported, and none
 * for what svc or programs did. To be committed together with the rows.
 */
export function collectUnheardLines(
  { rows: reader, place, now }: UnheardDeps,
  unheard: readonly UnheardEvent[],
  rules: WakeRules,
): { frames: NonNullable<Submission['frames']>; rows: RowChange<typeof TABLE>[] } {
  const texts = new Map<string, string[]>();
  const rows: RowChange<typeof TABLE>[] = [];
  for (const { jobId, one } of unheard) {
    const reason = explainUnheardSetting(one, rules);
    const { kind, prId, author, externalId } = one.event;
    const key = { job_id: jobId, external_id: externalId };
    // Counted: a row that cannot be read must not stop the news of other jobs.
    if (reason === null || reader.count(TABLE, key) > 0) continue;
    const text = `${kind} on ${prId} by ${author} does not reach this job: ${reason}`;
    texts.set(jobId, [...(texts.get(jobId) ?? []), text]);
    rows.push({ op: 'put', table: TABLE, row: { ...key, at: now() } });
  }
  const frames = [...texts].flatMap(([jobId, all]) => {
    const { phase, visit } = place(jobId);
    const more = all.length - MAX_LINES;
    const rest = more > 0 ? [`${more} more like it do not reach this job`] : [];
    return [...all.slice(0, MAX_LINES), ...rest].map((line) => {
      const data: LogFrame = {
        at: toIsoTime(now()),
        phase,
        visit,
        from: 'runner',
        tag: 'event',
        line,
      };
      return { actor: jobId, frame: { kind: 'log', data } };
    });
  });
  return { frames, rows };
}
