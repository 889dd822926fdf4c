import { createHmac } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeSampleRepository } from '../../demo/sampleRepository.ts';
import { isLost } from '../support/cli/commandLedger.ts';
import { REPO, shortJob } from '../support/crash/crashScenario.ts';
import { MortalRunner } from '../support/crash/mortalRunner.ts';
import { issueEvent } from '../support/forges/webhookStage.ts';

const test = suite('crash: a webhook that makes a job');

const SECRET = 'the secret of the webhooks';
const packageRoot = join(import.meta.dirname, '..', '..');
const dir = mkdtempSync(join(tmpdir(), 'svc-crash-trigger-'));
mkdirSync(join(dir, 'template'));
const template = makeSampleRepository(join(dir, 'template'));

test.after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));

/** Nothing listens there: what the runner asks of the forge fails at once. */
const github = {
  config: {
    token: 'ghp_nobodynobodynobody',
    baseUrl: 'http://127.0.0.1:9',
    webhookSecret: SECRET,
    selfIsPerson: true,
  },
};
const trigger = {
  id: 'bugs',
  plugin: 'github',
  events: ['issue.labeled'],
  labels: ['svc'],
  workflow: 'workflows/job.md',
  params: { repoSlug: REPO, jiraTicketId: '{{ticket}}', description: '{{title}}' },
};
const body = JSON.stringify(issueEvent('labeled', 'bob', { at: new Date().toISOString() }));
const headers = {
  'Content-Type': 'application/json',
  'X-GitHub-Delivery': 'delivery-1',
  'X-Hub-Signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
};

/**
 * A fresh home; the runner dies at `dieAt` and is started again. The sender sends until it is
 * answered.
 */
async function play(name: string, dieAt?: string) {
  const [home, repository] = [join(dir, name, 'home'), join(dir, name, `${REPO}.git`)];
  const countFile = join(dir, name, 'points');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  cpSync(template, repository, { recursive: true });
  const settings = {
    tenant: { overlay: { kind: 'localDir', path: shortJob.tenant } },
    plugins: { installed: { github } },
    forges: { local: { repos: { [REPO]: repository } } },
    triggers: [trigger],
  };
  writeFileSync(join(home, 'config.json'), JSON.stringify(settings), { mode: 0o600 });
  const runner = new MortalRunner(home, join(packageRoot, 'cli', 'bin', 'run.js'));
  let answers = await runner.start({ countFile, ...(dieAt === undefined ? {} : { dieAt }) });
  const repeatUntilAnswered = async <T>(ask: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!isLost(error)) throw error;
        await runner.gone();
        answers = await runner.start();
      }
    }
  };
  try {
    if (!answers) answers = await runner.start();
    const replies: unknown[] = [];
    const send = async () => {
      const reply = await fetch(`${runner.url}/webhooks/github`, { method: 'POST', headers, body });
      replies.push([reply.status, await reply.json()]);
    };
    await repeatUntilAnswered(send);
    // And once more, as senders do that have not seen the answer.
    await repeatUntilAnswered(send);
    const jobs = (await repeatUntilAnswered(() => runner.client.jobs())).jobs;
    const [job] = jobs;
    const params = job && (await repeatUntilAnswered(() => runner.client.job(job.id))).params;
    const rules = await repeatUntilAnswered(() => runner.client.triggers());
    const points = readFileSync(countFile, 'utf8').trimEnd().split('\n');
    return { jobs: jobs.length, params, rules, replies, points, starts: runner.starts };
  } finally {
    await runner.kill();
  }
}

const COMMIT = 'commit:xstate.init+slot.granted';
const PARAMS = {
  repoSlug: REPO,
  jiraTicketId: 'acme/shop#3',
  description: 'It is broken',
  trigger: {
    rule: 'bugs',
    plugin: 'github',
    event: 'issue.labeled',
    author: 'bob',
    deliveryId: 'delivery-1',
    url: 'https://github.com/acme/shop/issues/3',
  },
};
const MADE = { accepted: true, duplicate: false };
const KNOWN = { accepted: true, duplicate: true };

for (const [when, dieAt, first] of [
  ['without a crash', undefined, MADE],
  [
    'killed before the commit of delivery and job: neither exists, and the next attempt creates both',
    `${COMMIT}:before#1`,
    MADE,
  ],
  ['killed after it, before the answer: the next attempt finds both', `${COMMIT}:after#1`, KNOWN],
  ['killed when the job begins to work', 'effect:phase.prepare:before#1', null],
] as const) {
  test(`one delivery, sent until it is answered, makes one job; ${when} (RUN-8)`, async () => {
    const { jobs, params, rules, replies, points, starts } = await play(
      String(dieAt).replaceAll(/\W/g, '-'),
      dieAt,
    );
    assert.equal(jobs, 1);
    // It may have been prepared meanwhile.
    const { repoCheckoutDir, repoCheckoutAbsDir, ...otherParams } = Object(params);
    assert.equal(otherParams, PARAMS);
    assert.equal(rules[0]?.madeThisHour, 1);
    // Where it dies after the commit, whether the answer got out is a matter of instants.
    const expected = first ?? (Object(replies[0]).at(1).duplicate ? KNOWN : MADE);
    assert.equal(replies, [
      [202, expected],
      [202, KNOWN],
    ]);
    assert.is(points[0], `1 ${COMMIT}:before#1`);
    assert.equal(starts, dieAt === undefined ? 1 : 2);
    assert.equal(points.at(-1)?.endsWith(dieAt ?? ''), true);
  });
}

test.run();
