import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_FINDINGS_CHARS } from '../../../src/base/limits/intakeLimits.ts';
import { FINDINGS_CUT, RUN_REPAIRED, RUN_UNREADABLE } from '../../../src/base/agents/planNotes.ts';
import { CHAT, ChatStage, type Reader } from '../../support/chats/chatStage.ts';

const test = suite('plan-mode chats: blocks with faults');

/** A chat whose answers are these texts, one a turn. */
const openSayingStage = (...texts: string[]): Promise<ChatStage> =>
  ChatStage.open(async ({ request, say }) => void say(texts[request.turn - 1] ?? ''));

const runBlock = (body: string): string => `<run>\n${body}\n</run>\n`;
const findings = (body: string): string => `<findings>\n${body}\n</findings>\n`;
const notes = ({ got }: Reader): string[] =>
  got.flatMap(({ frame }) => (frame.type === 'note' ? [frame.text] : []));

const BROKEN = runBlock("{'description': 'Fix it', 'autoApprove': ['all'],}");
const LONG = 'x'.repeat(MAX_FINDINGS_CHARS + 1);

test('a run with faults is repaired, and a note reports it (PLN-7)', async () => {
  const stage = await openSayingStage(BROKEN);
  const reader = await stage.answer('Propose a run');
  assert.equal(notes(reader), [RUN_REPAIRED]);
  const { run } = await stage.intake.investigation(CHAT);
  assert.equal(run, {
    workflowPath: null,
    params: { description: 'Fix it' },
    removed: [{ name: 'autoApprove', reason: 'only-a-person', value: null }],
    repaired: true,
    unreadable: false,
  });
  await stage.close();
});

test('a run that cannot be repaired changes nothing, and a note reports it', async () => {
  const stage = await openSayingStage(runBlock('{"description":"Fix it"}'), runBlock('run it!'));
  await stage.answer('Propose a run');
  assert.equal(notes(await stage.answer('Another one')), [RUN_UNREADABLE]);
  const { run } = await stage.intake.investigation(CHAT);
  assert.equal(run?.params, { description: 'Fix it' });
  assert.is(run?.unreadable, true);
  await stage.close();
});

test('a first run that cannot be read is reported too', async () => {
  const stage = await openSayingStage(runBlock('run it!'));
  await stage.answer('Propose a run');
  const { run } = await stage.intake.investigation(CHAT);
  assert.equal(run?.params, {});
  assert.is(run?.unreadable, true);
  await stage.close();
});

test('a good run takes the notes about an earlier one away', async () => {
  const stage = await openSayingStage(
    BROKEN,
    runBlock('run it!'),
    runBlock('{"description":"All"}'),
  );
  for (const message of ['one', 'two', 'three']) await stage.answer(message);
  const { run } = await stage.intake.investigation(CHAT);
  assert.is(run?.repaired, false);
  assert.is(run?.unreadable, false);
  assert.equal(run?.params, { description: 'All' });
  await stage.close();
});

test('findings that are too long are cut, and a note reports it', async () => {
  const stage = await openSayingStage(findings(LONG));
  const reader = await stage.answer('Write them');
  assert.equal(notes(reader), [FINDINGS_CUT]);
  const card = (await stage.intake.investigation(CHAT)).findings;
  assert.is(card?.text.length, MAX_FINDINGS_CHARS);
  assert.is(card?.cut, true);
  await stage.close();
});

test('findings of the largest size are not cut', async () => {
  const stage = await openSayingStage(findings(LONG.slice(2)));
  const reader = await stage.answer('Write them');
  assert.equal(notes(reader), []);
  assert.is((await stage.intake.investigation(CHAT)).findings?.cut, false);
  await stage.close();
});

test('an edit of a person is not cut', async () => {
  const stage = await openSayingStage(findings(LONG));
  await stage.answer('Write them');
  const edited = await stage.intake.saveInvestigation(CHAT, { findings: { text: 'Short.' } });
  assert.is(edited?.findings?.cut, false);
  await stage.close();
});

test('a proposed change that was cut is marked until it is left', async () => {
  const stage = await openSayingStage('Hello.', findings(LONG));
  await stage.answer('Hello');
  await stage.intake.saveInvestigation(CHAT, { findings: { text: 'Mine.' } });
  await stage.answer('Write them');
  const proposed = await stage.intake.investigation(CHAT);
  assert.is(proposed.findings?.text, 'Mine.');
  assert.is(proposed.findings?.cut, true);
  const chat = await stage.intake.saveInvestigation(CHAT, { proposed: 'leave' });
  assert.is(chat?.findings?.cut, false);
  await stage.close();
});

test.run();
