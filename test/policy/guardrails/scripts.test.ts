import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../../support/agents/sessionRequest.ts';
import { guardrailStage } from './stage.ts';
import { createSubject } from './subjects.ts';

const AT = { visit: 1, session: 1 };
const ASKED = { when: ['tool.before'] };

/** What a script decides. */
async function decideByScript(
  text: string,
  declaration: object = ASKED,
  name = 'mine.sh',
  mode = 0o700,
) {
  const stage = await guardrailStage();
  stage.script(name, text, declaration, mode);
  const decision = await stage.guardrails.check(createSubject({ args: { a: 'b' } }), AT);
  return { ...stage, ...decision };
}

test('a script that ends with 0 lets pass (CFG-4)', async () => {
  assert.is((await decideByScript('exit 0')).result, 'pass');
});

test('a script that ends with 2 denies (CFG-4)', async () => {
  assert.is((await decideByScript('echo "not on Fridays" >&2; exit 2')).result, 'deny');
});

test('what a script says to the standard error is the reason (CFG-4)', async () => {
  assert.match(
    (await decideByScript('echo "not on Fridays" >&2; exit 2')).message,
    /not on Fridays\./,
  );
});

test('a script can ask for a person (CFG-4)', async () => {
  const text = `echo '{"result":"park","message":"ask Ana"}'`;
  assert.is((await decideByScript(text)).result, 'park');
});

test('a script gets what it is asked about as JSON (CFG-4)', async () => {
  const text = `let s='';process.stdin.on('data',(d)=>s+=d).on('end',()=>{
    const {tool,args}=JSON.parse(s);console.error(tool,args.a);process.exitCode=2})`;
  assert.match((await decideByScript(text, ASKED, 'mine.js')).message, /add_insight b/);
});

test('a script gets no variable of the runner (CFG-4)', async () => {
  process.env.SVC_TEST_TOKEN = 'hush';
  const { message } = await decideByScript('env | sort | cut -d= -f1 | tr "\\n" " " >&2; exit 2');
  delete process.env.SVC_TEST_TOKEN;
  assert.not.match(message, /SVC_TEST_TOKEN/);
});

test('a script runs in an empty folder that is gone afterwards (CFG-4)', async () => {
  const { message } = await decideByScript('pwd >&2; ls -A >&2; exit 2');
  const [, dir = ''] = /guardrail mine: (\S+)\.$/.exec(message) ?? [];
  assert.equal([dir.includes('svc-guardrail-'), existsSync(dir)], [true, false]);
});

test('a known secret in the words of a script is taken out (CFG-4)', async () => {
  assert.match((await decideByScript('echo hunter2 >&2; exit 2')).message, /\[secret\]/);
});

const FAILING: Readonly<Record<string, [text: string, says: RegExp]>> = {
  'that crashes': ['exit 7', /ended with exit code 7/],
  'that is killed': ['kill -9 $$', /ended with signal SIGKILL/],
  'that prints garbage': ['echo pass', /not valid JSON/],
  'that lies about its result': [
    `echo '{"result":"allow"}'`,
    /other than pass, deny, park or note/,
  ],
  'that prints 10 MB': ['head -c 10000000 /dev/zero', /more than 65536 bytes/],
};

for (const [what, [text, says]] of Object.entries(FAILING)) {
  test(`a script ${what} denies (CFG-4)`, async () => {
    assert.is((await decideByScript(text)).result, 'deny');
  });
  test(`a script ${what} is named with the reason (CFG-4)`, async () => {
    assert.match((await decideByScript(text)).message, says);
  });
  test(`a script ${what} and would only note lets pass (CFG-4)`, async () => {
    assert.is((await decideByScript(text, { ...ASKED, do: 'note' })).result, 'pass');
  });
}

test('a script that hangs denies when its time is over (CFG-4)', async () => {
  const { message } = await decideByScript('sleep 60', { ...ASKED, timeoutMs: 100 });
  assert.match(message, /has not ended within 100 ms/);
});

test('what a script leaves running is killed with it (CFG-4)', async () => {
  const stage = await guardrailStage();
  const file = join(stage.scriptsDir, 'pid.txt');
  stage.script('mine.sh', `sleep 60 & echo $! > ${file}; exit 0`, ASKED);
  await stage.guardrails.check(createSubject(), AT);
  const pid = Number(readFileSync(file, 'utf8'));
  // The system ends it a moment after it was killed; one that lives on fails by the time limit.
  for (const until = Date.now() + 5_000; (await isAlive(pid)) && Date.now() < until; )
    await new Promise(setImmediate);
  assert.is(await isAlive(pid), false);
});

test('a script that others can change counts as failing (CFG-4)', async () => {
  const stage = await guardrailStage();
  const file = stage.script('mine.sh', 'exit 0', ASKED);
  const { chmodSync } = await import('node:fs');
  chmodSync(file, 0o722);
  assert.match((await stage.guardrails.check(createSubject(), AT)).message, /chmod go-w/);
});

test('a script of another user counts as failing (CFG-4)', async () => {
  const stage = await guardrailStage([], { uid: 4_000_000 });
  const file = stage.script('mine.sh', 'exit 0', ASKED);
  // What belongs to root may decide, so root gives it to someone else.
  if (statSync(file).uid === 0) chownSync(file, 4_000_001, 4_000_001);
  assert.is((await stage.guardrails.check(createSubject(), AT)).result, 'deny');
});

test('a script without a description counts as failing, and is asked everywhere (CFG-4)', async () => {
  assert.match(
    (await decideByScript('exit 0', { whn: ['tool.before'] })).message,
    /mine.json is not valid/,
  );
});

test('the row of a decision has the hash of its script (CFG-4)', async () => {
  const { rows } = await decideByScript('exit 2');
  assert.match(rows.all('guardrail_decisions')[0]?.script ?? '', /^[0-9a-f]{64}$/);
});

test('switched off, no script runs (CFG-4)', async () => {
  const stage = await guardrailStage([], { enabled: false });
  stage.script('mine.sh', 'exit 2', ASKED);
  assert.is((await stage.guardrails.check(createSubject(), AT)).result, 'pass');
});

test('a script without its description is refused with what to write (CFG-4)', async () => {
  const stage = await guardrailStage();
  rmSync(stage.script('mine.sh', 'exit 0', ASKED).replace('.sh', '.json'));
  const { message } = await stage.guardrails.check(createSubject(), AT);
  assert.match(message, /mine\.json is missing beside it; write one/);
});

test('a pipe in the place of a description holds nothing up (CFG-4)', async () => {
  const stage = await guardrailStage();
  const description = stage.script('mine.sh', 'exit 0', ASKED).replace('.sh', '.json');
  rmSync(description);
  execFileSync('mkfifo', ['-m', '600', description]);
  const { message } = await stage.guardrails.check(createSubject(), AT);
  assert.match(message, /mine\.json is not a regular file/);
});

test('one script more than 50 refuses instead of being left out (CFG-4)', async () => {
  const stage = await guardrailStage();
  for (let at = 0; at < 51; at += 1)
    stage.script(`mine-${String(at).padStart(2, '0')}.sh`, 'exit 0', { when: ['merge.before'] });
  const { message } = await stage.guardrails.check(createSubject(), AT);
  assert.match(message, /has 51 scripts, at most 50 are run/);
});

test.run();
