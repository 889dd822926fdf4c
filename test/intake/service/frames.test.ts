import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NumberedFrame } from '../../../src/contract/planning/intake.ts';
import { ChatStage } from '../../support/chats/chatStage.ts';
import { frameScripts } from '../../support/chats/frameScripts.ts';

const test = suite('plan-mode chats: recorded frames');

const GOLDEN = join(import.meta.dirname, '..', '..', 'fixtures', 'chats', 'frames.txt');

/** A frame in a few words. */
function describeFrame({ id, frame }: NumberedFrame): string {
  const { type, ...rest } = frame;
  const text = Object.values(rest)
    .filter((value) => typeof value !== 'object')
    .join(' ');
  return `${id} ${type} ${text}`.trim();
}

async function recordFrames(): Promise<string> {
  const parts: string[] = [];
  for (const { name, play } of frameScripts) {
    const stage = await ChatStage.open(play);
    const { got } = await stage.answer('go');
    await stage.close();
    parts.push([`# ${name}`, ...got.map(describeFrame)].join('\n'));
  }
  return `${parts.join('\n\n')}\n`;
}

test(`the frames of ${frameScripts.length} turns are those that were recorded`, async () => {
  const now = await recordFrames();
  // What is written is reviewed as a change of the fixture.
  if (process.env.SVC_RECORD_FRAMES === '1') writeFileSync(GOLDEN, now);
  const parts = (text: string) => text.split('\n\n');
  const golden = parts(readFileSync(GOLDEN, 'utf8'));
  assert.ok(golden.length >= 60, `${golden.length} turns`);
  for (const [index, part] of parts(now).entries()) assert.is(part, golden[index]);
});

test.run();
