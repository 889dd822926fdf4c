import { joinIntoOneLine, shorten } from '../../base/text/clip.ts';
import { writeOutUnseen } from '../../base/text/escapeHidden.ts';
import type { Job } from '../../contract/schema/job/job.ts';
import type { Tables } from '../../contract/records/tables.ts';
import { type Fact, readScheduleName } from '../rules/fact.ts';
import { parseFacts } from '../rules/planMessages.ts';
import { describeFact, describeKinds } from './describeFact.ts';
import type {
  NotificationItem,
  NotificationJob,
  NotificationMessage,
  NotificationSchedule,
} from './notificationMessage.ts';

/** Most characters of a title, a reason, and a line of an agent's output. */
const MOST_TITLE_CHARS = 200;
const MOST_WHY_CHARS = 500;
const MOST_LINE_CHARS = 300;

export type NotifiedJob = Pick<
  Job,
  'description' | 'repoSlug' | 'workflowPath' | 'phase' | 'reason' | 'needs' | 'cost' | 'lastOutput'
>;

export interface NotifiedSchedule {
  /** Whether it waits for a person to resume it. */
  isPaused: boolean;
  repository: string | null;
  workflow: string;
  /** Its last failures in a row, newest first; `time` in epoch ms, `problem` null where the job says it. */
  failures: { time: number; jobId: string | null; problem: string | null }[];
}

export interface MessageSources {
  /** null = it is no longer configured. */
  schedule(name: string): NotifiedSchedule | null;
  /** null = there is no such job, or it cannot be read. */
  job(id: string): NotifiedJob | null;
  /** Takes known secrets out. */
  screen(text: string): string;
  /** Address of the runner, without a slash at its end. */
  baseUrl: string;
}

/** The message as it is sent now: what it says of jobs is read at this moment. */
export function composeMessage(
  { id, created_at, facts }: Pick<Tables['notification_messages'], 'id' | 'created_at' | 'facts'>,
  sources: MessageSources,
): NotificationMessage {
  const items = parseFacts(facts).map((fact) => composeItem(fact, sources));
  const [first] = items;
  return {
    id,
    type: 'notification',
    at: new Date(created_at).toISOString(),
    title: describeKinds(items),
    url: items.length === 1 && first !== undefined ? first.url : toPageUrl(sources, 'inbox'),
    items,
  };
}

/** The same message without facts that were settled meanwhile; null = none remains. */
export const omitResolvedItems = (message: NotificationMessage): NotificationMessage | null =>
  pickItems(message, ({ resolved }) => !resolved);

/** The same message with some of its items; null = with none. */
export function pickItems(
  message: NotificationMessage,
  isPicked: (item: NotificationItem) => boolean,
): NotificationMessage | null {
  const items = message.items.filter(isPicked);
  if (items.length === message.items.length) return message;
  const [first] = items;
  if (first === undefined) return null;
  return {
    ...message,
    items,
    title: describeKinds(items),
    url: items.length === 1 ? first.url : message.url,
  };
}

const toPageUrl = ({ baseUrl }: MessageSources, page: string): string =>
  `${baseUrl}/dashboard/#/${page}`;

type ToLine = (text: string, mostChars: number) => string;

function composeItem(fact: Fact, sources: MessageSources): NotificationItem {
  const scheduleName = readScheduleName(fact);
  const job = fact.jobId === null ? null : sources.job(fact.jobId);
  const schedule = scheduleName === null ? null : sources.schedule(scheduleName);
  const { label, why, page } = describeFact(fact);
  const toLine: ToLine = (text, mostChars) =>
    shorten(joinIntoOneLine(writeOutUnseen(sources.screen(text))), mostChars);
  const firstLine = job?.description.trim().split('\n', 1)[0] ?? '';
  const text = scheduleName === null ? fact.text : '';
  return {
    id: fact.id,
    kind: fact.kind,
    reason: fact.reason,
    label,
    title: toLine(firstLine || fact.jobId || scheduleName || label, MOST_TITLE_CHARS),
    why: toLine(job?.reason && text === '' ? job.reason : text || why, MOST_WHY_CHARS),
    since: new Date(fact.at).toISOString(),
    resolved:
      scheduleName === null ? isResolved(fact, job) : schedule === null || !schedule.isPaused,
    url: toPageUrl(sources, fact.jobId === null ? page : `jobs/${encodeURIComponent(fact.jobId)}`),
    job: fact.jobId === null || job === null ? null : composeJob(fact.jobId, job, toLine),
    schedule:
      scheduleName === null || schedule === null
        ? null
        : composeSchedule(scheduleName, schedule, sources, toLine),
  };
}

const composeSchedule = (
  name: string,
  { repository, workflow, failures }: NotifiedSchedule,
  sources: MessageSources,
  toLine: ToLine,
): NotificationSchedule => ({
  name,
  repository,
  workflow,
  failures: failures.map(({ time, jobId, problem }) => ({
    time: new Date(time).toISOString(),
    jobId,
    why: toLine(
      problem ?? (jobId === null ? null : sources.job(jobId)?.reason) ?? '',
      MOST_LINE_CHARS,
    ),
  })),
});

function composeJob(
  id: string,
  { repoSlug, workflowPath, phase, cost, lastOutput }: NotifiedJob,
  toLine: ToLine,
): NotificationJob {
  const lines = (lastOutput?.lines ?? []).map(({ text, ...rest }) => ({
    ...rest,
    text: toLine(text, MOST_LINE_CHARS),
  }));
  const error = lines.find(({ isError }) => isError);
  return {
    id,
    repository: repoSlug,
    workflow: workflowPath,
    phase,
    costUsd: cost?.usd ?? null,
    tokens: cost?.tokens ?? 0,
    lastLines: lines.map(({ text }) => text),
    firstError: error === undefined ? null : { line: error.number, text: error.text },
    exitCode: lastOutput?.exitCode ?? null,
  };
}

/** Whether a fact is what a job asks for or that a schedule is paused, which ends. */
export const canBeSettled = ({ kind, reason }: Pick<Fact, 'kind' | 'reason'>): boolean =>
  kind === 'needs-you' || kind === 'broken' || (kind === 'budget' && reason === 'budget');

/** Whether a job does not ask any more for what it asked for then. Other facts stay true. */
function isResolved({ kind, reason, jobId, at }: Fact, job: NotifiedJob | null): boolean {
  if (!canBeSettled({ kind, reason }) || jobId === null) return false;
  if (job === null) return true;
  return job.needs?.ask !== reason || Date.parse(job.needs.since) !== at;
}
