import type { AgentJob } from '../../contract/job/agentJob.ts';
import type { JobTracker } from '../../contract/forge/tracker.ts';

interface TrackerQuestion {
  /** Throws SvcError if no issue is named. */
  key(): string;
  text: string;
  limit: number;
}

/** The tracker's answer for an agent; `unread`: sentences about what is missing. */
export async function readTracker(
  tracker: JobTracker,
  operation: Parameters<AgentJob['trackerRead']>[0],
  { key, text, limit }: TrackerQuestion,
): Promise<Record<string, unknown>> {
  const unread: string[] = [];
  const note = (what: string) => void unread.push(what);
  const read = async (): Promise<Record<string, unknown>> => {
    if (operation === 'search_issues') return { issues: await tracker.search(text, limit, note) };
    const issue = key();
    if (operation === 'get_issue') return { issue: await tracker.issue(issue, note) };
    return { key: issue, comments: await tracker.comments(issue, note) };
  };
  const answer = await read();
  return { tracker: tracker.id, ...answer, ...(unread.length === 0 ? {} : { unread }) };
}
