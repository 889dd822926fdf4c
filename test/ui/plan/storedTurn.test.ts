import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createEmptyTurn,
  type ShownTurn,
  toShownTurn,
  type TurnPart,
  TurnReader,
} from '../../../ui/plan/turnParts.ts';
import { CHAT, ChatStage } from '../../support/chats/chatStage.ts';
import { frameScripts } from '../../support/chats/frameScripts.ts';
import type { ChatScript } from '../../support/chats/scriptedChat.ts';

const test = suite('a turn after a reload');

const describePart = (part: TurnPart): string => {
  if (part.kind !== 'lookup') return `${part.kind} ${part.text}`;
  const { id, round, target, end } = part.lookup;
  return `lookup ${id} in round ${round}: ${target}, ${JSON.stringify(end)}`;
};

/** Parts without the notes of the moment, which are not stored; texts that meet then are one. */
function shape({ parts }: ShownTurn): string[] {
  const out: string[] = [];
  for (const part of parts.filter(({ kind }) => kind !== 'note')) {
    const last = out.at(-1);
    if (part.kind === 'text' && last?.startsWith('text ')) out[out.length - 1] = last + part.text;
    else out.push(describePart(part));
  }
  return out;
}

/** A turn as it was watched, and as it is read afterwards. */
async function both(play: ChatScript): Promise<{ watched: ShownTurn; read: ShownTurn }> {
  const stage = await ChatStage.open(play);
  const { got } = await stage.answer('go');
  const reader = new TurnReader(createEmptyTurn(1, 'go', 'running'));
  for (const { frame } of got) reader.take(frame);
  const { turns, evidence } = await stage.intake.investigation(CHAT);
  await stage.close();
  assert.ok(turns[0]);
  return { watched: reader.turn, read: toShownTurn(turns[0], evidence) };
}

for (const { name, play } of frameScripts)
  test(`it shows texts, thinking and look-ups in the order in which they came: ${name}`, async () => {
    const { watched, read } = await both(play);
    assert.equal(shape(read), shape(watched));
  });

test('look-ups are between the texts around them', async () => {
  const { read } = await both(async ({ say, look }) => {
    say('I look.');
    await look('scm_read_file', { path: 'a.ts' });
    say('One more.');
    await look('scm_read_file', { path: 'b.ts' });
    say('Done.');
    return undefined;
  });
  assert.equal(
    read.parts.map((part) => (part.kind === 'lookup' ? part.lookup.target : describePart(part))),
    ['text I look.\n\n', 'a.ts', 'text One more.\n\n', 'b.ts', 'text Done.'],
  );
});

test('a block directly after a look-up is one, watched and read', async () => {
  const { watched, read } = await both(async ({ say, look }) => {
    say('I look.');
    await look('scm_read_file', { path: 'a.ts' });
    say('<findings>\nIt is in a.ts\n</findings>\nDone.');
    return undefined;
  });
  assert.equal(shape(read).at(-1), 'text Done.');
  assert.equal(shape(watched).at(-1), 'text Done.');
});

test('a turn that ended at a limit reports it after a reload too', async () => {
  const { read } = await both(async ({ say }) => {
    say('Half');
    return { stop: 'cut' };
  });
  assert.equal(read.parts.map(describePart), [
    'text Half',
    "note The answer was cut off at the model's output limit.",
  ]);
});

test.run();
