import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Script } from '../../../demo/model/script.ts';
import { openModelServer } from '../../../demo/model/server.ts';
import { createBuiltinExecutor } from '../../../src/executors/builtin/createBuiltinExecutor.ts';
import { readBuiltinSettings } from '../../../src/executors/builtin/settings.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { CHAT, ChatStage } from '../../support/chats/chatStage.ts';

const test = suite('plan-mode chats: a model that never stops looking');

const LOOKS: Script = Array.from({ length: 40 }, (_, n) => ({
  say: `Look ${n}. `,
  calls: [{ tool: 'scm_read_file', args: { path: `src/${n}.ts` } }],
}));

const NOTE = 'The model has used its 25 rounds of look-ups; it could look up nothing more.';

test('it is given 25 rounds and then asked for its closing words; the turn is done (PLN-3)', async () => {
  await using model = await openModelServer({ scripts: { look: LOOKS } });
  const executor = createBuiltinExecutor({
    clock: systemClock,
    settings: readBuiltinSettings({
      baseUrl: model.url,
      apiKey: 'key',
      model: 'claude-sonnet-4-5',
    }),
  });
  const stage = await ChatStage.open(async () => undefined, { executor });
  const reader = await stage.answer('Where is it? @@look');
  assert.is(model.requests.played.length, 26);
  assert.is(reader.types.filter((type) => type === 'tool_end').length, 25);
  const note = reader.got.find(({ frame }) => frame.type === 'note')?.frame;
  assert.is(note?.type === 'note' && note.text, NOTE);
  assert.is(reader.last?.type === 'done' && reader.last.rounds, 25);
  const { turns, evidence, counters } = await stage.intake.investigation(CHAT);
  assert.is(turns[0]?.state, 'done');
  assert.is(turns[0]?.reason, 'rounds');
  assert.is(
    turns[0]?.answer,
    LOOKS.slice(0, 26)
      .map(({ say }) => say)
      .join('\n\n'),
  );
  assert.equal(
    evidence.map(({ round }) => round),
    Array.from({ length: 25 }, (_, n) => n + 1),
  );
  assert.is(counters.lookups, 25);
  await stage.close();
});

test.run();
