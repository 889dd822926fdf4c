import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import GuardrailAllowCommand from '../../cli/commands/guardrail/allow.ts';
import GuardrailListCommand from '../../cli/commands/guardrail/list.ts';
import GuardrailTestCommand from '../../cli/commands/guardrail/test.ts';
import type { DryRunReply } from '../../src/contract/schema/policy/dryRun.ts';
import type { GuardrailList } from '../../src/contract/schema/policy/guardrailView.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { DECISION, RULE } from '../support/http/fakeFacade.ts';
import { fakeRunner } from '../support/http/fakeRunner.ts';

const test = suite<{ home: string }>('command guardrail');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-guardrail-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const LIST: GuardrailList = {
  enabled: true,
  ignored: ['My_Rule.sh is not asked: rename it'],
  rules: [
    {
      ...RULE,
      counts: { pass: 12, deny: 0, park: 3, redact: 0, note: 0 },
      last: '2026-01-01T11:59:00.000Z',
    },
    {
      ...RULE,
      id: 'mine',
      source: 'script',
      problem: 'mine.sh can be changed by others. Run: chmod go-w on it',
      counts: { pass: 0, deny: 0, park: 0, redact: 0, note: 0 },
      last: null,
    },
  ],
};

const REPLY: DryRunReply = {
  rule: RULE,
  asked: { isAsked: true, result: 'park', message: 'guardrail large-diff: too large.' },
  history: {
    text: 'Would have stopped 3 of 212 jobs.',
    jobs: 212,
    stopped: 3,
    noted: 0,
    questions: 500,
    withoutContent: 0,
    found: [
      {
        jobId: 'shop-job-1',
        at: '2026-01-01T11:00:00.000Z',
        seq: 7,
        moment: 'write.before',
        tool: 'create_pr',
        phase: 'coding',
        result: 'park',
        message: 'guardrail large-diff: too large.',
      },
    ],
    foundInAll: 4,
    cutBy: null,
    notKnown: ['Calls that only read have no line.'],
  },
};

type Command =
  | typeof GuardrailListCommand
  | typeof GuardrailTestCommand
  | typeof GuardrailAllowCommand;

const run = async (home: string, command: Command, argv: string[]) => {
  const runner = await fakeRunner({
    'GET /guardrails': [200, LIST],
    'POST /guardrails/dry-run': [200, REPLY],
    'POST /jobs/shop-job-1/guardrails/allow': [200, { decision: DECISION, resumed: true }],
  });
  try {
    const line = new CommandLine({ SVC_HOME: home, SVC_URL: runner.url });
    return { ...(await line.run(command, argv)), seen: runner.seen };
  } finally {
    await runner.close();
  }
};

test('svc guardrail list shows each rule with what it has done (CLI-1)', async ({ home }) => {
  const { out } = await run(home, GuardrailListCommand, []);
  assert.match(out, /large-diff +svc +on +park +12 +3 +0 +.*write\.before/);
});

test('svc guardrail list names a script that cannot be run', async ({ home }) => {
  const { out } = await run(home, GuardrailListCommand, []);
  assert.match(out, /denies everything: mine: mine\.sh can be changed by others/);
});

test('svc guardrail list names a file that looks like a rule and is none', async ({ home }) => {
  const { out } = await run(home, GuardrailListCommand, []);
  assert.match(out, /^no rule: My_Rule\.sh is not asked: rename it$/m);
});

test('svc guardrail test says first that there is no such rule', async ({ home }) => {
  assert.match(
    (await run(home, GuardrailTestCommand, ['larg-diff'])).err,
    /No rule larg-diff exists\. Did you mean large-diff\?/,
  );
});

test('svc guardrail test asks about a made-up call', async ({ home }) => {
  const argv = ['no-force-push', '--tool', 'bash', '--args', '{"command":"git push -f"}'];
  const { out, seen } = await run(home, GuardrailTestCommand, argv);
  assert.equal(seen.at(-1)?.body, {
    rule: 'no-force-push',
    asked: { tool: 'bash', args: { command: 'git push -f' } },
  });
  assert.match(out, /^park {2}guardrail large-diff: too large\.$/m);
});

test('svc guardrail test takes arguments from a file', async ({ home }) => {
  const file = join(home, 'args.json');
  await writeFile(file, '{"text":"x"}');
  const { seen } = await run(home, GuardrailTestCommand, ['max-prs', '--args', `@${file}`]);
  assert.equal(seen.at(-1)?.body, { rule: 'max-prs', asked: { args: { text: 'x' } } });
});

test('svc guardrail test --history says how many jobs it would have stopped', async ({ home }) => {
  const { out, seen } = await run(home, GuardrailTestCommand, ['large-diff', '--history']);
  assert.equal(seen.at(-1)?.body, { rule: 'large-diff', history: {} });
  assert.match(out, /Would have stopped 3 of 212 jobs\./);
  assert.match(out, /shop-job-1 +1 h ago +park +write\.before create_pr/);
  assert.match(out, /and 3 more/);
});

test('svc guardrail test tries a candidate', async ({ home }) => {
  const candidate = { id: 'mine', when: 'tool.before' };
  const argv = ['--candidate', JSON.stringify(candidate), '--history', '--jobs', '5'];
  const { seen } = await run(home, GuardrailTestCommand, argv);
  assert.equal(seen.at(-1)?.body, { candidate, history: { jobs: 5 } });
});

test('svc guardrail test needs a rule, and something to ask', async ({ home }) => {
  const line = new CommandLine({ SVC_HOME: home });
  assert.match((await line.run(GuardrailTestCommand, [])).err, /Name a rule/);
  assert.match((await line.run(GuardrailTestCommand, ['max-prs'])).err, /Give sample input/);
});

test('svc guardrail test names the flag whose JSON is broken', async ({ home }) => {
  const line = new CommandLine({ SVC_HOME: home });
  const { err } = await line.run(GuardrailTestCommand, ['max-prs', '--args', 'x']);
  assert.match(err, /--args is not valid JSON/);
});

test('svc guardrail allow allows it, and the job continues', async ({ home }) => {
  const argv = ['shop-job-1', '--rule', 'large-diff'];
  const { out, seen } = await run(home, GuardrailAllowCommand, argv);
  assert.equal(seen.at(-1)?.body, { rule: 'large-diff', resume: true });
  assert.match(
    out,
    /Allowed exactly this for shop-job-1, create_pr\.\n.*large-diff.*\nThe job continues\./,
  );
});

test("svc guardrail allow is not for agents: in a session's environment it is refused", async ({
  home,
}) => {
  const line = new CommandLine({ SVC_HOME: home, SVC_SESSION_DIR: '/session' });
  const { err } = await line.run(GuardrailAllowCommand, ['shop-job-1', '--rule', 'large-diff']);
  assert.match(err, /person/);
});

test.run();
