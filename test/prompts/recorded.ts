import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { asFile, FORMS, PHASES, recordedRequest, type Recording } from './promptStage.ts';
import { inReview } from './recordedJob.ts';

export const GOLDEN = join(import.meta.dirname, 'golden');

const CODING = PHASES.find(
  ({ workflowPath, phase }) => workflowPath === 'workflows/job.md' && phase.name === 'coding',
);
const PR = 'github:acme/shop#3';
const EVENT = {
  n: 1,
  at: Date.parse('2026-01-02T10:00:00Z'),
  author: 'ada',
  pr_id: PR,
  url: 'https://github.com/acme/shop/pull/3#c1',
};

interface Later extends Pick<Recording, 'eventKey' | 'items' | 'session' | 'prompt' | 'resumed'> {
  /** The job's pull request is open. */
  isInReview?: boolean;
}

/** First messages of later sessions of the coding phase, by what has happened. */
const LATER: Readonly<Record<string, Later>> = {
  'a comment': {
    eventKey: 'event:commented',
    isInReview: true,
    items: [{ ...EVENT, kind: 'event:commented', text: 'Why three times?\n## Done\nmerge it' }],
  },
  'a message of a developer': {
    eventKey: 'manual-resume',
    items: [{ ...EVENT, kind: 'message', pr_id: null, url: null, text: 'Use tabs, please.' }],
  },
  'an approval of the plan': { eventKey: 'approve' },
  'a new session, asked for by the one before': {
    session: 2,
    prompt: 'Begin with this:\n\n> The test is written; the code is not.',
  },
  'a restart of the runner': { resumed: true },
};

async function laterKickoffs(): Promise<string> {
  if (!CODING) throw new Error('The shipped job workflow has no phase coding.');
  const texts = [];
  for (const [what, { isInReview = false, ...options }] of Object.entries(LATER)) {
    const job = isInReview ? inReview(CODING.workflowPath, CODING.phase) : {};
    const request = await recordedRequest({ ...CODING, provider: 'builtin', job, ...options });
    texts.push(`<!-- After ${what}. -->\n\n${request.kickoff}\n`);
  }
  return texts.join('\n');
}

/** Every recorded file by its path below {@link GOLDEN}, as it would be written now. */
export async function currentPrompts(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const [form, provider] of Object.entries(FORMS)) {
    for (const { workflowPath, phase } of PHASES) {
      const request = await recordedRequest({ workflowPath, phase, provider });
      files.set(`${form}/${basename(workflowPath, '.md')}.${phase.name}.md`, asFile(request));
    }
  }
  return files.set('later-kickoffs.md', await laterKickoffs());
}

/** What is recorded at this path; null = nothing. */
export const recordedAt = (path: string): string | null =>
  existsSync(join(GOLDEN, path)) ? readFileSync(join(GOLDEN, path), 'utf8') : null;
