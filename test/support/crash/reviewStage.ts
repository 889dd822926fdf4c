import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '../../../src/api/client/client.ts';
import { removeMark } from '../../../src/git/marks.ts';
import { CommandLedger } from '../cli/commandLedger.ts';
import { GithubStage, REPO, TOKEN } from '../forges/githubStage.ts';
import type { FakeGithub } from '../forges/fakeGithub/fakeGithub.ts';
import { PATIENCE_MS } from '../inTime.ts';
import { Looks } from '../looks.ts';
import { type Ending, MortalRunner } from './mortalRunner.ts';

const packageRoot = join(import.meta.dirname, '..', '..', '..');
const PR = `github:${REPO}#1`;
/** How often the forge is asked for news once all is done: the review must be none. */
const POLLS_AFTER = 2;

const REVIEW = {
  verdict: 'request_changes' as const,
  body: 'Not yet.',
  author: 'ann',
  comments: [
    { path: 'NOTE.md', line: 1, body: 'Who reads it?' },
    { path: 'NOTE.md', line: 2, body: 'Is this used?' },
  ],
};

interface ReviewOutcome {
  /** Visits of the job: the agent is woken by the review, and by nothing else. */
  visit: number;
  parked: string | undefined;
  /** Types of the journal's rows by which the job heard of something. */
  heard: string[];
  messages: [string, string][];
  /** What svc says of each review, and of each of its comments. */
  reviews: unknown[];
  /** Reviews at the forge, and threads by line. */
  atForge: unknown[];
  threads: unknown[];
}

async function until<T>(ask: () => Promise<T>, isReached: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  const looks = new Looks();
  for (;;) {
    const current = await ask();
    if (isReached(current)) return current;
    if (Date.now() > deadline)
      throw new Error(`it did not get there; it is ${JSON.stringify(current)}`);
    await looks.pause();
  }
}

/** Plays of a person who reviews a pull request at a remote forge, each on a home of its own. */
export class ReviewStage {
  readonly #dir = mkdtempSync(join(tmpdir(), 'svc-crash-review-'));
  #plays = 0;

  /** The first process dies at the point; another follows, which lives. */
  async play(dieAt?: string) {
    const began = performance.now();
    this.#plays += 1;
    const dir = join(this.#dir, String(this.#plays));
    const home = join(dir, 'home');
    const countFile = join(dir, 'points');
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const stage = await GithubStage.open();
    const { github } = stage;
    const plugin = { config: { token: TOKEN, baseUrl: github.url, pollSeconds: 1 } };
    const settings = {
      tenant: { overlay: { kind: 'localDir', path: join(packageRoot, 'test/crash/review') } },
      plugins: { installed: { github: plugin } },
    };
    writeFileSync(join(home, 'config.json'), JSON.stringify(settings), { mode: 0o600 });
    const runner = new MortalRunner(home, join(packageRoot, 'cli', 'bin', 'run.js'));
    let death: Ending | null = null;
    let revivedMs: number | null = null;
    const people = new CommandLedger(
      () => runner.client,
      async () => {
        death ??= await runner.gone();
        const diedAt = performance.now();
        await runner.start();
        revivedMs ??= performance.now() - diedAt;
      },
    );
    try {
      await runner.start({ countFile, ...(dieAt === undefined ? {} : { dieAt }) });
      const outcome = await review(people, github);
      const points = readFileSync(countFile, 'utf8').trimEnd().split('\n');
      return {
        outcome,
        problems: people.refused.map(({ key, reply }) => `${key}: ${JSON.stringify(reply)}`),
        // Lines `<number> <point>`.
        points: points.map((line) => line.slice(line.indexOf(' ') + 1)),
        death,
        revivedMs,
        ms: performance.now() - began,
      };
    } finally {
      await runner.kill();
      await stage.end();
    }
  }

  remove(): void {
    rmSync(this.#dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

async function review(people: CommandLedger, github: FakeGithub): Promise<ReviewOutcome> {
  const params = { repoSlug: REPO, gitProvider: 'github', description: 'Add a note.' };
  const body = { type: 'job', workflowPath: 'workflows/review.md', params };
  const created = await people.command('create', 'create', (client, once) =>
    client.createJob(body, once),
  );
  const id = created?.jobId ?? '';
  const ask = <T>(question: (client: Client) => Promise<T>) => people.ask(question);
  const waitsAfter = (visit: number) =>
    until(
      () => ask((client) => client.job(id)),
      (job) => job.parked?.kind === 'event' && job.visit > visit,
    );
  await waitsAfter(0);
  const { headCommit: head } = await ask((client) => client.jobPullRequest(id, PR));
  await people.command('review', 'review', (client, once) =>
    client.reviewPullRequest(id, PR, { ...REVIEW, head }, once),
  );
  await waitsAfter(1);
  const reviews = await until(
    () => ask((client) => client.reviews(id)),
    ([first]) => first !== undefined && first.state !== 'queued',
  );
  const polls = () => github.seen.filter(({ path }) => path === '/graphql').length;
  const before = polls();
  // Asked as well: the last points are after the end of everything.
  await until(
    () => ask((client) => client.health()).then(polls),
    (now) => now >= before + POLLS_AFTER,
  );
  const { visit, parked } = await ask((client) => client.job(id));
  const journal = await ask((client) => client.journal(id, { limit: 1_000 }));
  const { messages } = await ask((client) => client.messages(id));
  const pr = github.state.pr(REPO, 1);
  return {
    visit,
    parked: parked?.kind,
    heard: journal
      .map(({ event }) => event.type)
      .filter((type) => ['job.message', 'forge.event'].includes(type)),
    messages: messages.map(({ state, text }) => [
      state,
      text.replaceAll(/\b[0-9a-f]{12}\b/g, '<head>'),
    ]),
    reviews: reviews.map(({ state, problem, comments }) => ({
      state,
      problem,
      comments: comments.map((one) => one.state),
    })),
    atForge: pr.reviews.map(({ author, state, body: text }) => ({
      author,
      state,
      text: removeMark(text),
    })),
    threads: pr.threads.map(({ line, comments }) => ({
      line,
      comments: comments.map(({ body: text }) => removeMark(text)),
    })),
  };
}
