import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { attack, openVictim } from '../../support/agents/attacker.ts';
import { builtinSubject } from '../../support/agents/executorContract/builtinSubject.ts';
import { chatCases } from '../../support/agents/executorContract/chat.ts';
import { openStage } from '../../support/agents/executorContract/stage.ts';

const subject = builtinSubject('anthropic');
const test = suite(`executor contract, chats of ${subject.name}`);

chatCases(test, {
  name: subject.name,
  provider: 'builtin',
  model: subject.model,
  open: (modelUrl) => subject.open(modelUrl),
});

test('the same attack does change the checkout in a session that has tools of its own', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'svc-victim-'));
  await using victim = await openVictim(dir);
  await using stage = await openStage(subject, { work: attack(victim) });
  const before = victim.state();
  await stage.play();
  assert.is.not(victim.state().join('\n'), before.join('\n'));
  await rm(dir, { recursive: true });
});

test.run();
